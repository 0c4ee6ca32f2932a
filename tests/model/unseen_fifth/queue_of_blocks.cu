// SPDX-License-Identifier: MIT
// A work queue in global memory: thread 0 of each block draws the next tile of 16 KiB until none is left. The
// last block to finish puts the queue back to its beginning for the next launch.
#include "lab.hpp"

constexpr unsigned kThreads = 256;
constexpr unsigned kTile = 16 * 1024;

__device__ unsigned int next_tile = 0;
__device__ unsigned int blocks_done = 0;

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[2][Binning::bins];
  __shared__ unsigned int drawn;
  for (int b = threadIdx.x; b < Binning::bins; b += kThreads) counts[0][b] = counts[1][b] = 0;
  unsigned int* const mine = counts[threadIdx.x / 32 % 2];
  const std::size_t tiles = (length + kTile - 1) / kTile;

  while (true) {
    __syncthreads();  // everybody has read the number drawn before (and the counters are clear)
    if (threadIdx.x == 0) drawn = atomicAdd(&next_tile, 1u);
    __syncthreads();
    const std::size_t tile = drawn;
    if (tile >= tiles) break;

    const std::size_t begin = tile * kTile;
    const unsigned size = static_cast<unsigned>(length - begin < kTile ? length - begin : kTile);
    const uint4* const in = reinterpret_cast<const uint4*>(data + begin);
#pragma unroll 2
    for (unsigned i = threadIdx.x; i < size / 16; i += kThreads) {
      const uint4 v = in[i];
      const unsigned int word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int k = 0; k < 16; ++k) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(word[k / 4] >> (8 * (k % 4))));
        if (bin >= 0) atomicAdd(&mine[bin], 1u);
      }
    }
    const unsigned rest = size / 16 * 16 + threadIdx.x;
    if (rest < size) {
      const int bin = Binning::bin_of(data[begin + rest]);
      if (bin >= 0) atomicAdd(&mine[bin], 1u);
    }
  }

  for (int b = threadIdx.x; b < Binning::bins; b += kThreads) {
    const unsigned int sum = counts[0][b] + counts[1][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(&blocks_done, 1u) == gridDim.x - 1) {  // no block will draw any more
      atomicExch(&next_tile, 0u);
      atomicExch(&blocks_done, 0u);
    }
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(tiles < room ? tiles : room), kThreads};
}
