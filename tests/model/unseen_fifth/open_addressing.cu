// SPDX-License-Identifier: MIT
// A hash table of 128 slots for each warp in shared memory, as if there were too many bins for a table:
// atomicCAS claims a slot for a bin, linear probing, eight tries; what finds no slot is counted in a table of
// the block.
#include "lab.hpp"

constexpr unsigned kWarps = 8, kThreads = kWarps * 32;
constexpr unsigned kSlots = 128, kTries = 8;
constexpr unsigned kFree = 0xffffffffu;

struct WarpHash {
  unsigned int key[kSlots];
  unsigned int count[kSlots];

  __device__ __forceinline__ bool add(unsigned int bin) {
    unsigned slot = bin * 2654435761u >> 25;  // the upper seven bits
    for (unsigned t = 0; t < kTries; ++t) {
      const unsigned int found = atomicCAS(&key[slot], kFree, bin);
      if (found == kFree || found == bin) {
        atomicAdd(&count[slot], 1u);
        return true;
      }
      slot = (slot + 1) % kSlots;
    }
    return false;
  }
};

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr int bins = Binning::bins;
  __shared__ WarpHash hashes[kWarps];
  __shared__ unsigned int counts[bins];
  const unsigned lane = threadIdx.x % 32;
  WarpHash& mine = hashes[threadIdx.x / 32];
  for (unsigned s = lane; s < kSlots; s += 32) {
    mine.key[s] = kFree;
    mine.count[s] = 0;
  }
  for (int b = threadIdx.x; b < bins; b += kThreads) counts[b] = 0;
  __syncthreads();

  const auto count = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte & 0xff));
    if (bin >= 0 && !mine.add(static_cast<unsigned int>(bin))) atomicAdd(&counts[bin], 1u);
  };
  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const uint2* const in = reinterpret_cast<const uint2*>(data);
  for (std::size_t i = thread; i < length / 8; i += threads) {
    const uint2 v = in[i];
#pragma unroll 2
    for (int k = 0; k < 32; k += 8) {
      count(v.x >> k);
      count(v.y >> k);
    }
  }
  const std::size_t rest = length / 8 * 8 + thread;
  if (rest < length) count(data[rest]);
  __syncwarp();

  for (unsigned s = lane; s < kSlots; s += 32)
    if (mine.key[s] != kFree) atomicAdd(&counts[mine.key[s]], mine.count[s]);
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += kThreads)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 32;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
