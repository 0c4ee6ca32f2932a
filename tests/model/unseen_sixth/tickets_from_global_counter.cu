// SPDX-License-Identifier: MIT
// Blocks of 128 threads draw tiles of 4 KB from a counter in global memory until none is left. A thread has
// two loads of 16 bytes under way. The last block to leave sets the counters back.
#include "lab.hpp"

constexpr unsigned block_threads = 128;
constexpr unsigned tile_vectors = 2 * block_threads;
constexpr std::size_t tile_bytes = 16 * tile_vectors;

__device__ unsigned long long next_tile;
__device__ unsigned int blocks_gone;

template <class Binning>
__device__ __forceinline__ void count_byte(unsigned int* counts, unsigned int byte) {
  const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
  if (bin >= 0) atomicAdd(&counts[bin], 1u);
}

template <class Binning>
__device__ __forceinline__ void count_quad(unsigned int* counts, uint4 quad) {
  for (const unsigned int word : {quad.x, quad.y, quad.z, quad.w}) {
    count_byte<Binning>(counts, word & 0xff);
    count_byte<Binning>(counts, (word >> 8) & 0xff);
    count_byte<Binning>(counts, (word >> 16) & 0xff);
    count_byte<Binning>(counts, word >> 24);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned long long drawn;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;

  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  while (true) {
    if (threadIdx.x == 0) drawn = atomicAdd(&next_tile, 1ull);
    __syncthreads();
    const std::size_t begin = drawn * tile_bytes;
    __syncthreads();
    if (begin >= length) break;
    if (aligned && blockDim.x == block_threads && begin + tile_bytes <= length) {
      const uint4* quads = reinterpret_cast<const uint4*>(data + begin);
      const uint4 first = quads[threadIdx.x];
      const uint4 second = quads[threadIdx.x + block_threads];
      count_quad<Binning>(counts, first);
      count_quad<Binning>(counts, second);
    } else {
      const std::size_t end = begin + tile_bytes < length ? begin + tile_bytes : length;
      for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x)
        count_byte<Binning>(counts, data[i]);
    }
  }
  // The loop was left behind a barrier that all counting precedes.
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] != 0) atomicAdd(&histo[bin], counts[bin]);
  }
  __threadfence();  // the draws of this block come before its leaving
  if (threadIdx.x == 0 && atomicAdd(&blocks_gone, 1u) == gridDim.x - 1) {
    atomicExch(&next_tile, 0ull);
    atomicExch(&blocks_gone, 0u);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes + (length == 0);
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(tiles < resident ? tiles : resident), block_threads};
}
