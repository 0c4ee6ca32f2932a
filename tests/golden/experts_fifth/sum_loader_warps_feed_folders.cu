// SPDX-License-Identifier: MIT
// Warp-specialised: four warps copy the next tile into one of two buffers, two warps fold the tile in the
// other one. At the end the last warp alone folds the sums of both.
#include "lab.hpp"

constexpr unsigned kLoaders = 128, kFolders = 64, kThreads = kLoaders + kFolders;
constexpr unsigned kOfLoader = 3, kTile = kLoaders * kOfLoader;

template <class T>
__device__ void copyTile(T* __restrict__ to, const T* __restrict__ data, std::size_t length,
                         std::size_t first) {
#pragma unroll
  for (unsigned k = 0; k < kOfLoader; ++k) {
    const unsigned place = k * kLoaders + threadIdx.x;
    if (first + place < length) to[place] = data[first + place];
  }
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using T = typename Operator::value;
  __shared__ T buffers[2][kTile];
  __shared__ T sums[kFolders];

  const bool loader = threadIdx.x < kLoaders;
  const unsigned folder = threadIdx.x - kLoaders;  // of folders only
  const std::size_t stride = std::size_t{gridDim.x} * kTile;
  std::size_t first = std::size_t{blockIdx.x} * kTile;
  T own = Operator::identity();
  unsigned current = 0;
  if (loader && first < length) copyTile(buffers[0], data, length, first);
  __syncthreads();
  while (first < length) {
    const std::size_t next = first + stride;
    if (loader) {
      if (next < length) copyTile(buffers[current ^ 1], data, length, next);
    } else {
      const unsigned filled = length - first < kTile ? static_cast<unsigned>(length - first) : kTile;
      for (unsigned k = folder; k < filled; k += kFolders) own = Operator::combine(own, buffers[current][k]);
    }
    __syncthreads();
    first = next;
    current ^= 1;
  }

  if (!loader) sums[folder] = own;
  __syncthreads();
  if (loader || folder < kFolders / 2) return;
  const unsigned lane = folder % 32;
  for (unsigned half = kFolders / 2; half > 0; half /= 2) {
    if (lane < half) sums[lane] = Operator::combine(sums[lane], sums[lane + half]);
    __syncwarp();
  }
  if (lane == 0) partials[blockIdx.x] = sums[0];
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + kTile * 4 - 1) / (kTile * 4),
                    cap = 10 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks == 0 ? 1 : blocks < cap ? blocks : cap), kThreads};
}
