// SPDX-License-Identifier: MIT
// The block stages the bins of a tile in shared memory; then every warp reads the whole tile and counts the
// bins of its own range, so that no two warps meet at a counter.
#include "lab.hpp"

constexpr unsigned warps_of_block = 8, block_threads = 32 * warps_of_block, tile_bytes = 4 * block_threads;

struct Range {
  int first, size;
  __device__ bool holds(int bin) const {
    return static_cast<unsigned>(bin - first) < static_cast<unsigned>(size);
  }
};

template <class Binning>
__device__ void stage(const unsigned char* data, std::size_t length, std::size_t tile,
                      short (&bins)[tile_bytes]) {
#pragma unroll 4
  for (unsigned k = threadIdx.x; k < tile_bytes; k += block_threads) {
    const std::size_t at = tile * tile_bytes + k;
    bins[k] = at < length ? static_cast<short>(Binning::bin_of(data[at])) : short{-1};
  }
}

__device__ void count_range(const short (&bins)[tile_bytes], const Range& range, unsigned* counts) {
  const short2* const pairs = reinterpret_cast<const short2*>(bins);
  for (unsigned k = threadIdx.x % 32; k < tile_bytes / 2; k += 32) {
    const short2 pair = pairs[k];
    if (range.holds(pair.x)) atomicAdd(&counts[pair.x], 1u);
    if (range.holds(pair.y)) atomicAdd(&counts[pair.y], 1u);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ alignas(4) short bins[tile_bytes];
  __shared__ unsigned counts[Binning::bins];
  constexpr int range_size = (Binning::bins + warps_of_block - 1) / warps_of_block;
  const Range mine{static_cast<int>(threadIdx.x / 32) * range_size, range_size};
  for (unsigned b = threadIdx.x; b < Binning::bins; b += block_threads) counts[b] = 0;

  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    stage<Binning>(data, length, tile, bins);
    __syncthreads();
    count_range(bins, mine, counts);
    __syncthreads();
  }
  // The range of a warp is its own to the end.
  __syncthreads();
  for (int b = mine.first + threadIdx.x % 32; b < min(mine.first + mine.size, +Binning::bins); b += 32) {
    if (counts[b] != 0) atomicAdd(&histo[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most = 8u * multiprocessors();
  if (tiles == 0) return {1, block_threads};
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_threads};
}
