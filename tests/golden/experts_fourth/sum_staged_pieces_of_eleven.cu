// SPDX-License-Identifier: MIT
// A tile is loaded as it lies, and each thread then combines eleven elements of it that lie side by side: an
// odd number, so that lanes want different banks.
#include "lab.hpp"

constexpr unsigned threads_of_block = 128, piece = 11, tile = threads_of_block * piece;

template <class Operator>
__global__ void __launch_bounds__(threads_of_block)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  __shared__ value staged[tile];
  value own = Operator::identity();
  for (std::size_t base = std::size_t{blockIdx.x} * tile; base < length;
       base += std::size_t{gridDim.x} * tile) {
#pragma unroll
    for (unsigned k = 0; k < piece; ++k) {
      const unsigned at = k * threads_of_block + threadIdx.x;
      staged[at] = base + at < length ? data[base + at] : Operator::identity();
    }
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < piece; ++k) own = Operator::combine(own, staged[threadIdx.x * piece + k]);
    __syncthreads();
  }
  for (unsigned offset = 16; offset > 0; offset >>= 1)
    own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  __shared__ value of_warps[threads_of_block / 32];
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < threads_of_block / 32; ++w) own = Operator::combine(own, of_warps[w]);
    partials[blockIdx.x] = own;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 4 * tile - 1) / (4 * tile);
  return {static_cast<unsigned>(enough < 1056 ? enough : 1056), threads_of_block};
}
