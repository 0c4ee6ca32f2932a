// SPDX-License-Identifier: MIT
// Values of any size move through the warp word by word with __shfl_down_sync; ten warps leave ten sums,
// which the first warp folds.
#include <cstring>

#include "lab.hpp"

constexpr int warps = 10, threads = warps * 32;

template <class T>
__device__ __forceinline__ T down(const T& from, int delta) {
  static_assert(sizeof(T) % 4 == 0);
  unsigned words[sizeof(T) / 4];
  memcpy(words, &from, sizeof(T));
#pragma unroll
  for (unsigned& word : words) word = __shfl_down_sync(0xffffffffu, word, delta);
  T to;
  memcpy(&to, words, sizeof(T));
  return to;
}

template <class Operator, int lanes>
__device__ typename Operator::value fold(typename Operator::value v) {
#pragma unroll
  for (int delta = lanes / 2; delta > 0; delta /= 2) v = Operator::combine(v, down(v, delta));
  return v;
}

template <class Operator>
__global__ void __launch_bounds__(threads)
    reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                     typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  __shared__ value of_warps[warps];
  const std::size_t step = std::size_t{gridDim.x} * threads;
  value mine = Operator::identity();
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < length; i += step) {
    mine = Operator::combine(mine, data[i]);
  }
  mine = fold<Operator, 32>(mine);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < warps ? of_warps[threadIdx.x] : Operator::identity();
  mine = fold<Operator, 16>(mine);
  if (threadIdx.x == 0) partials[blockIdx.x] = mine;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = length / (threads * 8) + 1, most = 6 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < most ? blocks : most), threads};
}
