// SPDX-License-Identifier: MIT
// A table per warp whose words hold two counters of 16 bits; a warp empties its table into the block's after
// 2047 rounds of 32 bytes, before a counter can overflow.
#include "lab.hpp"

namespace {
constexpr int warps = 10;
constexpr int threads = warps * 32;
constexpr int rounds_before_flush = 2047;  // 2047 * 32 <= 65535

__device__ void flush(unsigned int (&pairs)[128], unsigned int* totals, int words, int lane) {
  __syncwarp();
  for (int word = lane; word < words; word += 32) {
    const unsigned int both = pairs[word];
    if (both == 0) continue;
    pairs[word] = 0;
    const unsigned int low = both & 0xffff, high = both >> 16;
    if (low != 0) atomicAdd(&totals[2 * word], low);
    if (high != 0) atomicAdd(&totals[2 * word + 1], high);
  }
  __syncwarp();
}
}  // namespace

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int pairs[warps][128];
  __shared__ unsigned int totals[256];
  constexpr int words = (Binning::bins + 1) / 2;
  static_assert(words <= 128);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int word = lane; word < words; word += 32) pairs[warp][word] = 0;
  if (threadIdx.x < 256) totals[threadIdx.x] = 0;
  __syncthreads();

  const std::size_t stride = std::size_t{gridDim.x} * threads;
  std::size_t base = std::size_t{blockIdx.x} * threads + warp * 32;
  while (base < length) {
    int round = 0;
    while (round < rounds_before_flush && base < length) {
      if (base + lane < length) {
        const int bin = Binning::bin_of(data[base + lane]);
        if (bin >= 0) atomicAdd(&pairs[warp][bin >> 1], bin & 1 ? 0x10000u : 1u);
      }
      base += stride;
      ++round;
    }
    flush(pairs[warp], totals, words, lane);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < Binning::bins; bin += threads) {
    if (const unsigned int count = totals[bin]; count != 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {length < 1000000 ? 16u : multiprocessors() * 4u, threads};
}
