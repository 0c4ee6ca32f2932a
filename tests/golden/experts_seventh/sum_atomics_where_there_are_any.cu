// SPDX-License-Identifier: MIT
// Sums, maxima and minima of integers take the warp's own instructions and then an atomic on one word of the
// block for each warp; for all other operators warps fold by shuffles and leave their values side by side.
#include <type_traits>

#include "lab.hpp"

constexpr unsigned block_size = 256, warps = block_size / 32;
constexpr unsigned all_lanes = 0xffffffffu;

template <class Operator>
struct Fold {
  static constexpr bool by_hardware = false;
};
template <>
struct Fold<Sum> {
  static constexpr bool by_hardware = true;
  __device__ static unsigned int warp(unsigned int own) { return __reduce_add_sync(all_lanes, own); }
  __device__ static void into(unsigned int* word, unsigned int own) { atomicAdd(word, own); }
};
template <>
struct Fold<Maximum> {
  static constexpr bool by_hardware = true;
  __device__ static unsigned int warp(unsigned int own) { return __reduce_max_sync(all_lanes, own); }
  __device__ static void into(unsigned int* word, unsigned int own) { atomicMax(word, own); }
};
template <>
struct Fold<Minimum> {
  static constexpr bool by_hardware = true;
  __device__ static unsigned int warp(unsigned int own) { return __reduce_min_sync(all_lanes, own); }
  __device__ static void into(unsigned int* word, unsigned int own) { atomicMin(word, own); }
};

template <class Operator>
__global__ void __launch_bounds__(block_size)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  constexpr bool by_hardware = Fold<Operator>::by_hardware;
  __shared__ value meeting[by_hardware ? 1 : warps];
  if constexpr (by_hardware) {
    if (threadIdx.x == 0) meeting[0] = Operator::identity();
    __syncthreads();
  }

  const std::size_t stride = std::size_t{gridDim.x} * block_size;
  value own = Operator::identity();
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * block_size + threadIdx.x; i < length; i += stride) {
    own = Operator::combine(own, data[i]);
  }

  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if constexpr (by_hardware) {
    own = Fold<Operator>::warp(own);
    if (lane == 0) Fold<Operator>::into(meeting, own);
    __syncthreads();
    if (threadIdx.x == 0) partials[blockIdx.x] = meeting[0];
  } else {
    for (unsigned offset = 16; offset > 0; offset >>= 1) {
      own = Operator::combine(own, shuffle_down(all_lanes, own, offset));
    }
    if (lane == 0) meeting[warp] = own;
    __syncthreads();
    if (threadIdx.x == 0) {
#pragma unroll
      for (unsigned k = 1; k < warps; ++k) own = Operator::combine(own, meeting[k]);
      partials[blockIdx.x] = own;
    }
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + block_size * 8 - 1) / (block_size * 8);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block_size);
  return {static_cast<unsigned>(blocks < most ? blocks : most), block_size};
}
