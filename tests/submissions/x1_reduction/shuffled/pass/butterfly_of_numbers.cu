// SPDX-License-Identifier: MIT
// Right: numbers go round by a butterfly of shuffles, and the first warp clears a value for each of its lanes.
#include "lab.hpp"
#include <type_traits>

template <class Operator>
__device__ typename Operator::value reduce_warp(typename Operator::value own) {
  using Value = typename Operator::value;
  if constexpr (std::is_arithmetic_v<Value>) {
    for (int mask = 16; mask > 0; mask >>= 1) own = Operator::combine(own, __shfl_xor_sync(0xffffffffu, own, mask));
  } else {
    for (int offset = 16; offset > 0; offset >>= 1) own = Operator::combine(own, shuffle_down(0xffffffffu, own, offset));
  }
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using Value = typename Operator::value;
  __shared__ Value of_warps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (warp == 0) of_warps[lane] = Operator::identity();
  Value own = Operator::identity();
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) own = Operator::combine(own, data[i]);
  own = reduce_warp<Operator>(own);
  __syncthreads();
  if (lane == 0) of_warps[warp] = own;
  __syncthreads();
  if (warp == 0) own = reduce_warp<Operator>(of_warps[lane]);
  if (threadIdx.x == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t block = 256, per_thread = 16;
  const std::size_t enough = (length + block * per_thread - 1) / (block * per_thread);
  const std::size_t most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), static_cast<unsigned>(block)};
}
