// SPDX-License-Identifier: MIT
// Lanes with the same bin find each other by __match_any_sync; the lowest of them adds for all. The loop is
// uniform over the warp, so that all lanes take part to the end.
#include "lab.hpp"

constexpr unsigned kEveryLane = 0xffffffffu;
constexpr int kBlockSize = 384;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0u;
  __syncthreads();

  const unsigned lane = threadIdx.x & 31u;
  const unsigned below = (1u << lane) - 1u;
  const std::size_t threadsOfGrid = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t thread = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;

#pragma unroll 1
  for (std::size_t warpBase = thread - lane; warpBase < length; warpBase += threadsOfGrid) {
    const std::size_t position = warpBase + lane;
    const int bin = position < length ? Binning::bin_of(data[position]) : -1;
    const unsigned peers = __match_any_sync(kEveryLane, bin);
    const bool leads = (peers & below) == 0;
    if (leads && bin >= 0) atomicAdd(&counts[bin], static_cast<unsigned>(__popc(peers)));
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  std::size_t grid = (length + kBlockSize * 8 - 1) / (kBlockSize * 8);
  if (grid == 0) grid = 1;
  if (grid > 5u * multiprocessors()) grid = 5u * multiprocessors();
  return {static_cast<unsigned>(grid), kBlockSize};
}
