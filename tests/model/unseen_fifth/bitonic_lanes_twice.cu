// SPDX-License-Identifier: MIT
// A warp sorts two lists of 32 bins at a time, one in each half of a register: bitonic by __shfl_xor_sync,
// __vminu2 and
// __vmaxu2. The first lane of each run then adds the run's length to the warp's table.
#include "lab.hpp"

constexpr unsigned kWarps = 4, kThreads = kWarps * 32;
constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kNone = 0x7fff;  // a bin behind all others

template <class Binning>
__device__ __forceinline__ unsigned key_of(unsigned int byte) {
  const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
  return bin < 0 ? kNone : static_cast<unsigned>(bin);
}

__device__ __forceinline__ unsigned sort_both(unsigned keys, unsigned lane) {
#pragma unroll
  for (unsigned size = 2; size <= 32; size *= 2) {
#pragma unroll
    for (unsigned step = size / 2; step > 0; step /= 2) {
      const unsigned other = __shfl_xor_sync(kAll, keys, step);
      const bool small = ((lane & step) == 0) == ((lane & size) == 0);
      keys = small ? __vminu2(keys, other) : __vmaxu2(keys, other);
    }
  }
  return keys;
}

__device__ __forceinline__ void add_runs(unsigned int* table, unsigned key, unsigned lane) {
  const unsigned before = __shfl_up_sync(kAll, key, 1);
  const bool first = lane == 0 || key != before;
  const unsigned heads = __ballot_sync(kAll, first);
  if (first && key != kNone) {
    const unsigned later = lane == 31 ? 0u : heads >> (lane + 1);
    table[key] += later ? __ffs(later) : 32 - lane;  // no other lane has this bin
  }
  __syncwarp();
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ unsigned int tables[kWarps][Binning::bins];
  const unsigned lane = threadIdx.x % 32;
  unsigned int* const table = tables[threadIdx.x / 32];
  for (unsigned b = lane; b < Binning::bins; b += 32) table[b] = 0;
  __syncwarp();

  const std::size_t warps = std::size_t{gridDim.x} * kWarps;
  std::size_t base = (std::size_t{blockIdx.x} * kWarps + threadIdx.x / 32) * 128;
  for (; base < length; base += warps * 128) {  // 128 bytes: a word a lane
    const std::size_t at = base + lane * 4;
    unsigned keys[2] = {kNone * 0x10001u, kNone * 0x10001u};
    if (at + 4 <= length) {
      const unsigned int word = *reinterpret_cast<const unsigned int*>(data + at);
      keys[0] = key_of<Binning>(word & 0xff) | key_of<Binning>(word >> 8 & 0xff) << 16;
      keys[1] = key_of<Binning>(word >> 16 & 0xff) | key_of<Binning>(word >> 24) << 16;
    } else {
      if (at < length) keys[0] = key_of<Binning>(data[at]) | kNone << 16;
      if (at + 1 < length) keys[0] = (keys[0] & 0xffff) | key_of<Binning>(data[at + 1]) << 16;
      if (at + 2 < length) keys[1] = key_of<Binning>(data[at + 2]) | kNone << 16;
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const unsigned sorted = sort_both(keys[h], lane);
      add_runs(table, sorted & 0xffff, lane);
      add_runs(table, sorted >> 16, lane);
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    const unsigned int sum = tables[0][b] + tables[1][b] + tables[2][b] + tables[3][b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 4 * 16;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
