// SPDX-License-Identifier: MIT
// Values of one word fold by shuffles of the value itself; larger ones fold in the warp's row of shared
// memory. In both cases one thread folds what the warps left.
#include "lab.hpp"

constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;

template <class Operator>
__device__ typename Operator::value fold_warp(typename Operator::value own, typename Operator::value* row,
                                              int lane) {
  if constexpr (sizeof(own) == 4) {
    for (int mask = 1; mask < 32; mask *= 2)
      own = Operator::combine(own, __shfl_xor_sync(0xffffffffu, own, mask));
    if (lane == 0) row[0] = own;
  } else {
    row[lane] = own;
    __syncwarp();
    for (int half = 16; half != 0; half /= 2) {
      if (lane < half) row[lane] = own = Operator::combine(own, row[lane + half]);
      __syncwarp();
    }
  }
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  __shared__ value rows[kWarps][32];
  value own = Operator::identity();
  const std::size_t step = std::size_t{gridDim.x} * kThreads;
#pragma unroll 2
  for (std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x; i < length; i += step) {
    if constexpr (sizeof(value) == 4) {
      own = Operator::combine(own, __ldg(&data[i]));
    } else {
      own = Operator::combine(own, data[i]);
    }
  }
  own = fold_warp<Operator>(own, rows[threadIdx.x / 32], threadIdx.x % 32);
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < kWarps; ++warp) own = Operator::combine(own, rows[warp][0]);
  partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + kThreads * 20 - 1) / (kThreads * 20);
  const std::size_t limit = std::size_t{multiprocessors()} * 12;
  if (blocks <= 1) return {1, kThreads};
  return {static_cast<unsigned>(blocks < limit ? blocks : limit), kThreads};
}
