// SPDX-License-Identifier: MIT
// Blocks of 1024 walk tiles, threads walk eight bytes of a tile: first all eight loads into registers, then
// the counts. Two tables, for even and odd warps.
#include "lab.hpp"

namespace tiling {
constexpr unsigned threads = 1024;
constexpr unsigned items = 8;
constexpr unsigned size = threads * items;
}  // namespace tiling

template <class Binning>
__global__ void __launch_bounds__(tiling::threads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ unsigned int even[Binning::bins], odd[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += tiling::threads) even[b] = odd[b] = 0;
  __syncthreads();
  unsigned int* const table = (threadIdx.x / 32) % 2 == 0 ? even : odd;

#pragma unroll 1
  for (std::size_t tile = std::size_t{blockIdx.x} * tiling::size; tile < length;
       tile += std::size_t{gridDim.x} * tiling::size) {
    int bins[tiling::items];
    if (tile + tiling::size <= length) {
#pragma unroll
      for (unsigned k = 0; k < tiling::items; ++k) {
        bins[k] = Binning::bin_of(data[tile + k * tiling::threads + threadIdx.x]);
      }
    } else {
#pragma unroll
      for (unsigned k = 0; k < tiling::items; ++k) {
        const std::size_t at = tile + k * tiling::threads + threadIdx.x;
        bins[k] = at < length ? Binning::bin_of(data[at]) : -1;
      }
    }
#pragma unroll
    for (unsigned k = 0; k < tiling::items; ++k) {
      if (bins[k] >= 0) atomicAdd(&table[bins[k]], 1u);
    }
  }
  __syncthreads();
  if (threadIdx.x >= Binning::bins) return;
  const unsigned int count = even[threadIdx.x] + odd[threadIdx.x];
  if (count != 0) atomicAdd(&histo[threadIdx.x], count);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tiling::size - 1) / tiling::size;
  const std::size_t resident = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(tiles > resident ? resident : tiles + (tiles == 0)), tiling::threads};
}
