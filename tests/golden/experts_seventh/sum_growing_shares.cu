// SPDX-License-Identifier: MIT
// The share of a block grows with its number: the first has next to nothing, the last twice the average.
// Each thread walks through its block's share with two accumulators; eight leaders leave values for one.
#include "lab.hpp"

constexpr unsigned block_size = 256;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value leaders[block_size / 32];
  // Of n blocks, block b begins at the b (b + 1) / n (n + 1) part of the input.
  const std::size_t n = gridDim.x, b = blockIdx.x;
  const std::size_t parts = n * (n + 1) / 2, part = length / parts, rest = length % parts;
  const std::size_t low = b * (b + 1) / 2, high = low + b + 1;
  const std::size_t begin = part * low + (low < rest ? low : rest);
  const std::size_t end = part * high + (high < rest ? high : rest);

  value even = Operator::identity(), odd = Operator::identity();
  std::size_t i = begin + threadIdx.x;
#pragma unroll 2
  for (; i + block_size < end; i += 2 * block_size) {
    even = Operator::combine(even, data[i]);
    odd = Operator::combine(odd, data[i + block_size]);
  }
  if (i < end) even = Operator::combine(even, data[i]);
  value own = Operator::combine(even, odd);
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (threadIdx.x % 32 == 0) leaders[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x > 0) return;
  own = leaders[0];
  for (unsigned k = 1; k < block_size / 32; ++k) own = Operator::combine(own, leaders[k]);
  partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t most = 6 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
