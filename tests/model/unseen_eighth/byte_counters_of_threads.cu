// SPDX-License-Identifier: MIT
// Every thread has a counter of 8 bits for each bin in shared memory, and no atomic: lane l of warp w owns
// byte w of word l in each row, so that lanes never meet in a bank. Before a byte can overflow, `__dp4a` adds
// up the rows.
#include "lab.hpp"

constexpr unsigned block_size = 128, words_of_row = block_size / 4;
constexpr unsigned rounds = 255;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ unsigned int rows[Binning::bins * words_of_row];
  __shared__ unsigned int totals[Binning::bins];
  for (unsigned k = threadIdx.x; k < Binning::bins * words_of_row; k += block_size) rows[k] = 0;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) totals[bin] = 0;
  __syncthreads();
  unsigned char* const own =
      reinterpret_cast<unsigned char*>(rows) + (threadIdx.x % 32) * 4 + threadIdx.x / 32;

  const std::size_t of_block = std::size_t{rounds} * block_size;
  for (std::size_t base = blockIdx.x * of_block; base < length; base += gridDim.x * of_block) {
    const std::size_t end = base + of_block < length ? base + of_block : length;
    std::size_t i = base + threadIdx.x;
    for (; i + 4 * block_size < end; i += 5 * block_size) {
      unsigned char bytes[5];
#pragma unroll
      for (unsigned k = 0; k < 5; ++k) bytes[k] = data[i + k * block_size];
#pragma unroll
      for (unsigned k = 0; k < 5; ++k) {
        const int bin = Binning::bin_of(bytes[k]);
        if (bin >= 0) ++own[bin * block_size];
      }
    }
    for (; i < end; i += block_size) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) ++own[bin * block_size];
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
      unsigned int sum = 0;
      for (unsigned k = 0; k < words_of_row; ++k) {
        // Each thread begins at another word, or all would meet in one bank.
        unsigned int& word = rows[bin * words_of_row + (k + bin) % words_of_row];
        sum = __dp4a(word, 0x01010101u, sum);
        word = 0;
      }
      totals[bin] += sum;
    }
    __syncthreads();
  }
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (totals[bin] > 0) atomicAdd(&histo[bin], totals[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{rounds} * block_size;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
