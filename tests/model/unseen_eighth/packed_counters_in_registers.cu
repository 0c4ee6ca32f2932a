// SPDX-License-Identifier: MIT
// Each thread keeps eight counters of 8 bits in a 64-bit register, as many registers as the binning needs,
// and picks the one to add to by ternaries. Before a field can overflow the warp adds them up by reductions.
// With 256 bins registers do not suffice: there it falls back on shared atomics.
#include "lab.hpp"

constexpr unsigned bytes_per_round = 252;  // of a thread; a field holds 255

template <int words>
struct packed_counters {
  unsigned long long word[words];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int k = 0; k < words; ++k) word[k] = 0;
  }

  // Bin -1 is in word -1, which does not exist.
  __device__ __forceinline__ void add(int bin) {
    const unsigned long long one = 1ull << ((bin & 7) * 8);
#pragma unroll
    for (int k = 0; k < words; ++k) word[k] += (bin >> 3) == k ? one : 0ull;
  }
};

// Four bytes of each lane, in two sums of 16 bits each: at most 32 * 252 in a field.
__device__ __forceinline__ void flush_four(unsigned four, unsigned mask, unsigned lane, unsigned* counts,
                                           int first, int bins) {
  const unsigned even = __reduce_add_sync(mask, four & 0x00ff00ffu);
  const unsigned odd = __reduce_add_sync(mask, (four >> 8) & 0x00ff00ffu);
  if (lane == 0) {
    const unsigned sums[4] = {even & 0xffffu, odd & 0xffffu, even >> 16, odd >> 16};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (first + k < bins && sums[k] > 0) atomicAdd(&counts[first + k], sums[k]);
    }
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                 unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t of_block = std::size_t{blockDim.x} * bytes_per_round;
  const unsigned lane = threadIdx.x % 32, lanes = min(32u, blockDim.x - (threadIdx.x - lane));
  const unsigned mask = 0xffffffffu >> (32 - lanes);
  for (std::size_t base = blockIdx.x * of_block; base < length; base += gridDim.x * of_block) {
    if constexpr (Binning::bins <= 32) {
      constexpr int words = (Binning::bins + 7) / 8;
      packed_counters<words> own;
      own.clear();
#pragma unroll 6
      for (unsigned k = 0; k < bytes_per_round; ++k) {
        const std::size_t i = base + k * blockDim.x + threadIdx.x;
        own.add(i < length ? Binning::bin_of(data[i]) : -1);
      }
#pragma unroll
      for (int k = 0; k < words; ++k) {
        flush_four(static_cast<unsigned>(own.word[k]), mask, lane, counts, k * 8, Binning::bins);
        flush_four(static_cast<unsigned>(own.word[k] >> 32), mask, lane, counts, k * 8 + 4, Binning::bins);
      }
    } else {
      const std::size_t end = min(base + of_block, length);
      for (std::size_t i = base + threadIdx.x; i < end; i += blockDim.x) {
        const int bin = Binning::bin_of(data[i]);
        if (bin >= 0) atomicAdd(&counts[bin], 1u);
      }
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t of_block = std::size_t{block} * bytes_per_round;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = std::size_t{multiprocessors()} * 6;
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
