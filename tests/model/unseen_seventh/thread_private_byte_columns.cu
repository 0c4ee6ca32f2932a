// SPDX-License-Identifier: MIT
// No atomics while counting: each of 64 threads has a column of counters of one byte in shared memory. Before
// a counter can exceed 255 the block adds up the rows, four counters at a time with dp4a, into totals in
// registers.
#include "lab.hpp"

constexpr unsigned block_threads = 64;
constexpr unsigned words_of_row = block_threads / 4;
constexpr unsigned words_per_thread = 60;  // 240 bytes, so no counter gets beyond 240
constexpr unsigned words_of_tile = block_threads * words_per_thread;

template <class Binning>
__global__ void __launch_bounds__(block_threads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int rows[Binning::bins * words_of_row];
  constexpr unsigned bins_per_thread = (Binning::bins + block_threads - 1) / block_threads;
  unsigned int totals[bins_per_thread] = {};
  const unsigned thread = threadIdx.x;
  // Lanes 0 to 15 get different words, so that neighbours with the same bin are in different banks.
  unsigned char* const column = reinterpret_cast<unsigned char*>(rows) + ((thread % 16) * 4 + thread / 16);

  std::size_t head = (4 - reinterpret_cast<std::uintptr_t>(data) % 4) % 4;
  if (head > length) head = length;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  const std::size_t count = (length - head) / 4;

  for (std::size_t tile = std::size_t{blockIdx.x} * words_of_tile; tile < count;
       tile += std::size_t{gridDim.x} * words_of_tile) {
    for (unsigned i = thread; i < Binning::bins * words_of_row; i += block_threads) rows[i] = 0;
    __syncthreads();
    for (unsigned k = 0; k < words_per_thread; ++k) {
      const std::size_t at = tile + k * block_threads + thread;
      if (at >= count) break;
      unsigned int word = words[at];
#pragma unroll
      for (int byte = 0; byte < 4; ++byte) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(word & 0xff));
        if (bin >= 0) ++column[bin * block_threads];
        word >>= 8;
      }
    }
    __syncthreads();
#pragma unroll
    for (unsigned j = 0; j < bins_per_thread; ++j) {
      const unsigned bin = thread + j * block_threads;
      if (bin < Binning::bins) {
        for (unsigned k = 0; k < words_of_row; ++k) {
          totals[j] = __dp4a(rows[bin * words_of_row + (k + thread) % words_of_row], 0x01010101u, totals[j]);
        }
      }
    }
    __syncthreads();
  }

  for (unsigned j = 0; j < bins_per_thread; ++j) {
    const unsigned bin = thread + j * block_threads;
    if (bin < Binning::bins && totals[j] > 0) atomicAdd(&histo[bin], totals[j]);
  }
  // At most three bytes before the words and three behind them.
  if (blockIdx.x == gridDim.x - 1) {
    const std::size_t behind = head + count * 4;
    int bin = -1;
    if (thread < head) {
      bin = Binning::bin_of(data[thread]);
    } else if (thread >= 32 && thread - 32 < length - behind) {
      bin = Binning::bin_of(data[behind + (thread - 32)]);
    }
    if (bin >= 0) atomicAdd(&histo[bin], 1u);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length / 4 + words_of_tile - 1) / words_of_tile;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_threads);
  const std::size_t blocks = tiles < most ? tiles : most;
  return {static_cast<unsigned>(blocks > 0 ? blocks : 1), block_threads};
}
