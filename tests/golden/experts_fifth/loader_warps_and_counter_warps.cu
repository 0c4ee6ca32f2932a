// SPDX-License-Identifier: MIT
// Warp-specialised: five warps load the next tile into one of two buffers while sixteen warps count the tile
// in the other one. One barrier a tile.
#include "lab.hpp"

constexpr unsigned kLoaders = 160, kCounters = 512, kThreads = kLoaders + kCounters;
constexpr unsigned kTile = kLoaders * 16;

__device__ void load_tile(uint4* buffer, const unsigned char* data, std::size_t length, std::size_t first,
                          unsigned loader) {
  const std::size_t at = first + loader * 16;
  if (at >= length) return;
  if (at + 16 <= length && (reinterpret_cast<std::size_t>(data) & 15) == 0) {
    buffer[loader] = *reinterpret_cast<const uint4*>(data + at);
    return;
  }
  unsigned char* const bytes = reinterpret_cast<unsigned char*>(buffer + loader);
  for (unsigned k = 0; k < 16 && at + k < length; ++k) bytes[k] = data[at + k];
}

template <class Binning>
__device__ void count_tile(const uint4* buffer, unsigned filled, unsigned counter, unsigned int* table) {
  const unsigned char* const bytes = reinterpret_cast<const unsigned char*>(buffer);
#pragma unroll
  for (unsigned k = 0; k < kTile / kCounters; ++k) {
    const unsigned at = k * kCounters + counter;
    if (at < filled) {
      const int bin = Binning::bin_of(bytes[at]);
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
  }
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ uint4 buffers[2][kLoaders];
  __shared__ unsigned int table[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) table[b] = 0;
  const bool loads = threadIdx.x < kLoaders;
  const std::size_t step = std::size_t{gridDim.x} * kTile;
  std::size_t first = std::size_t{blockIdx.x} * kTile;
  if (loads) load_tile(buffers[0], data, length, first, threadIdx.x);
  __syncthreads();
  for (unsigned turn = 0; first < length; first += step, turn ^= 1) {
    if (loads) {
      load_tile(buffers[turn ^ 1], data, length, first + step, threadIdx.x);
    } else {
      const unsigned filled = length - first < kTile ? static_cast<unsigned>(length - first) : kTile;
      count_tile<Binning>(buffers[turn], filled, threadIdx.x - kLoaders, table);
    }
    __syncthreads();
  }
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    if (table[b] != 0) atomicAdd(&histo[b], table[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile, most = std::size_t{multiprocessors()} * 3;
  return {static_cast<unsigned>(tiles == 0 ? 1 : tiles < most ? tiles : most), kThreads};
}
