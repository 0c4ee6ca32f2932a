// SPDX-License-Identifier: MIT
// Up to 32 bins: each thread counts into fields of eight bits in 64-bit registers, and after 128 bytes the
// warp adds them up with redux. More bins: counters of 16 bits, two to a word of shared memory, emptied
// before they can overflow.
#include "lab.hpp"

constexpr unsigned block_threads = 256;
constexpr unsigned vectors_per_round = 8;  // 128 bytes per thread, 32,768 per block

// For few bins.
template <int bins, bool few = (bins <= 32)>
struct Counter {
  static constexpr int longs = (bins + 7) / 8;
  unsigned long long fields[longs] = {};

  __device__ __forceinline__ void add(int bin, unsigned int*) {
    const unsigned long long one = bin >= 0 ? 1ull << (bin % 8 * 8) : 0;
#pragma unroll
    for (int i = 0; i < longs; ++i) fields[i] += bin / 8 == i ? one : 0;
  }
  __device__ void empty(unsigned int*, unsigned int* totals) {
#pragma unroll
    for (int bin = 0; bin < bins; ++bin) {
      const unsigned own = static_cast<unsigned>(fields[bin / 8] >> (bin % 8 * 8)) & 0xff;
      const unsigned of_warp = __reduce_add_sync(0xffffffffu, own);
      if (threadIdx.x % 32 == bin && of_warp > 0) atomicAdd(&totals[bin], of_warp);
    }
#pragma unroll
    for (int i = 0; i < longs; ++i) fields[i] = 0;
  }
};

// For many: bin b is in half b % 2 of word b / 2.
template <int bins>
struct Counter<bins, false> {
  __device__ __forceinline__ void add(int bin, unsigned int* halves) {
    if (bin >= 0) atomicAdd(&halves[bin / 2], bin % 2 ? 0x10000u : 1u);
  }
  __device__ void empty(unsigned int* halves, unsigned int* totals) {
    __syncthreads();
    for (int pair = threadIdx.x; pair < (bins + 1) / 2; pair += block_threads) {
      const unsigned both = halves[pair];
      halves[pair] = 0;
      totals[2 * pair] += both & 0xffff;
      if (2 * pair + 1 < bins) totals[2 * pair + 1] += both >> 16;
    }
    __syncthreads();
  }
};

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int bins = Binning::bins;
  __shared__ unsigned int totals[bins], halves[(bins + 1) / 2];
  for (int i = threadIdx.x; i < bins; i += block_threads) totals[i] = 0;
  for (int i = threadIdx.x; i < (bins + 1) / 2; i += block_threads) halves[i] = 0;
  __syncthreads();
  Counter<bins> counter;

  std::size_t head = (16 - reinterpret_cast<std::uintptr_t>(data) % 16) % 16;
  if (head > length) head = length;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  const std::size_t count = (length - head) / 16, behind = head + count * 16;
  if (blockIdx.x == 0) {  // at most two bytes for a thread: 130 in the first round
    if (threadIdx.x < head) counter.add(Binning::bin_of(data[threadIdx.x]), halves);
    if (threadIdx.x < length - behind) counter.add(Binning::bin_of(data[behind + threadIdx.x]), halves);
  }
  constexpr std::size_t of_round = block_threads * vectors_per_round;
  std::size_t base = blockIdx.x * of_round;
  do {  // all threads of a block go through the same rounds
#pragma unroll 2
    for (unsigned k = 0; k < vectors_per_round; ++k) {
      const std::size_t at = base + k * block_threads + threadIdx.x;
      if (at < count) {
        const uint4 v = vectors[at];
        const unsigned int words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int byte = 0; byte < 16; ++byte) {
          counter.add(Binning::bin_of(static_cast<unsigned char>(words[byte / 4] >> (byte % 4 * 8))), halves);
        }
      }
    }
    counter.empty(halves, totals);
    base += gridDim.x * of_round;
  } while (base < count);

  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += block_threads) {
    if (totals[bin] > 0) atomicAdd(&histo[bin], totals[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_round = block_threads * vectors_per_round * 16;
  const std::size_t rounds = length / of_round + 1;
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Letters>, block_threads);
  return {static_cast<unsigned>(rounds < resident ? rounds : resident), block_threads};
}
