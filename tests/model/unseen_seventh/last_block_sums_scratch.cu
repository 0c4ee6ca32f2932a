// SPDX-License-Identifier: MIT
// No atomics on the result: each block stores its counts in a scratch array in global memory and takes a
// ticket. The block that takes the last one adds up all of them and stores the result. The bytes come eight
// at a time.
#include "lab.hpp"

constexpr unsigned block_threads = 1024;
constexpr unsigned most_blocks = 264;  // two for each of 132 multiprocessors
constexpr unsigned most_bins = 256;

__device__ unsigned int scratch[most_blocks * most_bins];
__device__ unsigned int tickets;  // zero between two launches

template <class Binning>
__device__ __forceinline__ void count_byte(unsigned int* counts, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&counts[bin], 1u);
}

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned bins = Binning::bins;
  static_assert(bins <= most_bins);
  __shared__ unsigned int counts[bins];
  __shared__ bool last;
  if (threadIdx.x < bins) counts[threadIdx.x] = 0;
  __syncthreads();

  const std::size_t thread = std::size_t{blockIdx.x} * block_threads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_threads;
  const std::size_t to_aligned = (8 - reinterpret_cast<std::uintptr_t>(data) % 8) % 8;
  const std::size_t head = to_aligned < length ? to_aligned : length;
  const unsigned long long* const longs = reinterpret_cast<const unsigned long long*>(data + head);
  const std::size_t count = (length - head) / 8;
  if (thread < head) count_byte<Binning>(counts, data[thread]);
  for (std::size_t i = thread; i < count; i += threads) {
    unsigned long long eight = longs[i];
#pragma unroll
    for (int k = 0; k < 8; ++k, eight >>= 8) count_byte<Binning>(counts, static_cast<unsigned char>(eight));
  }
  const std::size_t behind = head + count * 8 + thread;
  if (behind < length) count_byte<Binning>(counts, data[behind]);
  __syncthreads();

  if (threadIdx.x < bins) scratch[blockIdx.x * bins + threadIdx.x] = counts[threadIdx.x];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;

  __threadfence();
  constexpr unsigned slices = block_threads / bins;
  const unsigned bin = threadIdx.x % bins, slice = threadIdx.x / bins;
  if (threadIdx.x < bins) counts[threadIdx.x] = 0;
  __syncthreads();
  if (slice < slices) {
    unsigned int sum = 0;
    for (unsigned block = slice; block < gridDim.x; block += slices)
      sum += __ldcg(&scratch[block * bins + bin]);
    atomicAdd(&counts[bin], sum);
  }
  __syncthreads();
  if (threadIdx.x < bins) histo[threadIdx.x] = counts[threadIdx.x];
  if (threadIdx.x == 0) tickets = 0;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (block_threads * 8) + 1;
  std::size_t most = std::size_t{2} * multiprocessors();
  if (most > most_blocks) most = most_blocks;
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
