// SPDX-License-Identifier: MIT
// Every thread of a block of 64 has counters of its own, 8 bits wide, in shared memory: no atomics while
// counting. After at most 240 bytes a thread, the block adds them up, four at a time, and clears them.
#include "lab.hpp"

constexpr unsigned block_threads = 64;
constexpr unsigned words_per_row = block_threads / 4;
constexpr unsigned loads_per_round = 15;  // of 16 bytes: 240 < 256

template <class Binning>
__device__ __forceinline__ void count_word(unsigned char* column, unsigned int word) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
    if (bin >= 0) ++column[bin * block_threads];
  }
}

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int rows[Binning::bins * words_per_row];
  __shared__ unsigned int totals[Binning::bins];
  for (unsigned k = threadIdx.x; k < Binning::bins * words_per_row; k += block_threads) rows[k] = 0;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_threads) totals[bin] = 0;
  __syncthreads();

  unsigned char* column = reinterpret_cast<unsigned char*>(rows) + threadIdx.x;
  const std::size_t vectors = reinterpret_cast<std::uintptr_t>(data) % 16 == 0 ? length / 16 : 0;
  const uint4* quads = reinterpret_cast<const uint4*>(data);
  constexpr std::size_t chunk = loads_per_round * block_threads;
  for (std::size_t begin = blockIdx.x * chunk; begin < vectors; begin += gridDim.x * chunk) {
    const std::size_t end = begin + chunk < vectors ? begin + chunk : vectors;
    for (std::size_t v = begin + threadIdx.x; v < end; v += block_threads) {
      const uint4 quad = __ldg(&quads[v]);
      count_word<Binning>(column, quad.x);
      count_word<Binning>(column, quad.y);
      count_word<Binning>(column, quad.z);
      count_word<Binning>(column, quad.w);
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_threads) {
      unsigned int pairs = 0;  // two sums of 16 bits
      for (unsigned k = 0; k < words_per_row; ++k) {
        unsigned int& word = rows[bin * words_per_row + (k + threadIdx.x) % words_per_row];
        pairs += (word & 0x00ff00ffu) + ((word >> 8) & 0x00ff00ffu);
        word = 0;
      }
      totals[bin] += (pairs & 0xffff) + (pairs >> 16);
    }
    __syncthreads();
  }

  const std::size_t threads = std::size_t{gridDim.x} * block_threads;
  std::size_t i = vectors * 16 + std::size_t{blockIdx.x} * block_threads + threadIdx.x;
  for (; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&totals[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_threads) {
    if (totals[bin] > 0) atomicAdd(&histo[bin], totals[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (loads_per_round * block_threads * 16) + 1;
  const std::size_t most =
      std::size_t{4} * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
