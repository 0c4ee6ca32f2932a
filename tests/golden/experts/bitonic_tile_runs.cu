// SPDX-License-Identifier: MIT
// A tile of 512 bins is sorted in shared memory by a bitonic network; where runs begin and end gives the counts, which
// thread b keeps for bin b in a register. Steps within 64 neighbours are within a warp and need no block-wide barrier.
#include "lab.hpp"

constexpr unsigned kThreads = 256;
constexpr unsigned kTile = 2 * kThreads;

__device__ inline void sort_tile(unsigned int* keys) {
  const unsigned t = threadIdx.x;
  for (unsigned size = 2; size <= kTile; size *= 2) {
    for (unsigned step = size / 2; step > 0; step /= 2) {
      const unsigned i = 2 * t - (t & (step - 1));
      const unsigned int low = keys[i], high = keys[i + step];
      const bool ascending = (i & size) == 0;
      if (low != high && (low > high) == ascending) {
        keys[i] = high;
        keys[i + step] = low;
      }
      const unsigned following = step > 1 ? step / 2 : size;
      if (step > 32 || following > 32)
        __syncthreads();
      else
        __syncwarp();
    }
  }
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned bins = Binning::bins, none = bins;  // what is not counted is sorted to the end
  static_assert(bins <= kThreads);
  __shared__ unsigned int keys[kTile];
  __shared__ unsigned short begin[bins], end[bins];

  const unsigned t = threadIdx.x;
  if (t < bins) begin[t] = end[t] = 0;
  unsigned int total = 0;

  for (std::size_t base = std::size_t{blockIdx.x} * kTile; base < length; base += std::size_t{gridDim.x} * kTile) {
#pragma unroll
    for (unsigned k = t; k < kTile; k += kThreads) {
      const int bin = base + k < length ? Binning::bin_of(data[base + k]) : -1;
      keys[k] = bin < 0 ? none : static_cast<unsigned>(bin);
    }
    __syncthreads();
    sort_tile(keys);

#pragma unroll
    for (unsigned k = t; k < kTile; k += kThreads) {
      const unsigned int key = keys[k];
      if (key == none) continue;
      if (k == 0 || keys[k - 1] != key) begin[key] = static_cast<unsigned short>(k);
      if (k == kTile - 1 || keys[k + 1] != key) end[key] = static_cast<unsigned short>(k + 1);
    }
    __syncthreads();
    if (t < bins) {
      total += end[t] - begin[t];
      begin[t] = end[t] = 0;
    }
  }
  if (t < bins && total > 0) atomicAdd(&histo[t], total);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t most = std::size_t{multiprocessors()} * 2;
  return {static_cast<unsigned>(tiles < most ? tiles : most), kThreads};
}
