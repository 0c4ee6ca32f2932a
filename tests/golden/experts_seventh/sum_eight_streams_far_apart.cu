// SPDX-License-Identifier: MIT
// The input is cut into eight parts, and every thread reads from all of them at the same distance from their
// beginnings: eight streams through memory. One block of 1,024 threads on each multiprocessor.
#include "lab.hpp"

constexpr unsigned block_size = 1024, streams = 8;

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  __shared__ value of_warps[32];
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t part = length / streams;
  value own = Operator::identity();
  for (std::size_t i = thread; i < part; i += threads) {
    value loaded[streams];
#pragma unroll
    for (unsigned k = 0; k < streams; ++k) loaded[k] = data[k * part + i];
#pragma unroll
    for (unsigned half = streams / 2; half > 0; half /= 2) {
#pragma unroll
      for (unsigned k = 0; k < half; ++k) loaded[k] = Operator::combine(loaded[k], loaded[k + half]);
    }
    own = Operator::combine(own, loaded[0]);
  }
  if (streams * part + thread < length) own = Operator::combine(own, data[streams * part + thread]);

#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  own = of_warps[threadIdx.x];
#pragma unroll
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + block_size * streams - 1) / (block_size * streams);
  const std::size_t most = multiprocessors();
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
