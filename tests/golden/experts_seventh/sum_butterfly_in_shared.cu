// SPDX-License-Identifier: MIT
// A butterfly over the whole block in shared memory: in every step each thread combines its value with its
// partner's, so that all of them end with the block's. Two buffers take turns, with one barrier a step.
#include "lab.hpp"

constexpr unsigned block_size = 256;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value buffers[2][block_size];
  constexpr std::size_t of_turn = std::size_t{block_size} * 4;
  value own = Operator::identity();
  for (std::size_t base = blockIdx.x * of_turn; base < length; base += gridDim.x * of_turn) {
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      const std::size_t i = base + k * block_size + threadIdx.x;
      if (i < length) own = Operator::combine(own, data[i]);
    }
  }
  unsigned buffer = 0;
  for (unsigned distance = 1; distance < block_size; distance *= 2) {
    buffers[buffer][threadIdx.x] = own;
    __syncthreads();
    own = Operator::combine(own, buffers[buffer][threadIdx.x ^ distance]);
    buffer ^= 1;
  }
  if (threadIdx.x == block_size - 1) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + block_size * 4 - 1) / (block_size * 4);
  const std::size_t most = 7 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
