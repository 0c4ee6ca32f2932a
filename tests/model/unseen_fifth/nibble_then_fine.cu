// SPDX-License-Identifier: MIT
// Two levels: a tile's bins are sorted by their upper bits (a group each) into shared memory, the place given
// by a coarse histogram and its scan; then a warp takes a group at a time and counts the lower bits, in
// counters of that warp alone.
#include <cub/block/block_scan.cuh>

#include "lab.hpp"

constexpr int kThreads = 256, kWarps = kThreads / 32, kGroups = 16;
constexpr int kTile = kThreads * 16;

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr int bins = Binning::bins;
  constexpr int shift = bins > 128 ? 4 : bins > 64 ? 3 : bins > 32 ? 2 : bins > 16 ? 1 : 0;
  using Scan = cub::BlockScan<unsigned int, kThreads>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ unsigned int counts[bins];
  __shared__ unsigned int coarse[kGroups], start[kGroups + 1];
  __shared__ unsigned char sorted[kTile];

  for (int b = threadIdx.x; b < bins; b += kThreads) counts[b] = 0;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  for (std::size_t base = std::size_t{blockIdx.x} * kTile; base < length;
       base += std::size_t{gridDim.x} * kTile) {
    if (threadIdx.x < kGroups) coarse[threadIdx.x] = 0;
    __syncthreads();

    unsigned int word[4] = {0, 0, 0, 0};
    const std::size_t at = base + threadIdx.x * 16;
    const int mine = at >= length ? 0 : length - at < 16 ? static_cast<int>(length - at) : 16;
    if (mine == 16) {
      const uint4 v = *reinterpret_cast<const uint4*>(data + at);
      word[0] = v.x, word[1] = v.y, word[2] = v.z, word[3] = v.w;
    } else {
#pragma unroll
      for (int k = 0; k < 16; ++k)
        if (k < mine) word[k / 4] |= static_cast<unsigned int>(data[at + k]) << (k % 4 * 8);
    }
    unsigned short rank[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const int bin = k < mine ? Binning::bin_of(static_cast<unsigned char>(word[k / 4] >> (k % 4 * 8))) : -1;
      rank[k] = 0xffff;  // not counted
      if (bin >= 0) rank[k] = static_cast<unsigned short>(atomicAdd(&coarse[bin >> shift], 1u));
    }
    __syncthreads();

    unsigned int before = 0;
    Scan(storage).ExclusiveSum(threadIdx.x < kGroups ? coarse[threadIdx.x] : 0u, before);
    if (threadIdx.x <= kGroups) start[threadIdx.x] = before;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < 16; ++k) {
      if (rank[k] == 0xffff) continue;
      const int bin = Binning::bin_of(static_cast<unsigned char>(word[k / 4] >> (k % 4 * 8)));
      sorted[start[bin >> shift] + rank[k]] = static_cast<unsigned char>(bin);
    }
    __syncthreads();

    for (int g = warp; g < kGroups; g += kWarps)
      for (unsigned i = start[g] + lane; i < start[g + 1]; i += 32) atomicAdd(&counts[sorted[i]], 1u);
    __syncthreads();
  }

  for (int b = threadIdx.x; b < bins; b += kThreads)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(tiles < room ? tiles : room), kThreads};
}
