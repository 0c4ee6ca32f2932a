// SPDX-License-Identifier: MIT
// Two counters of 16 bits in each shared word. What the atomic returns tells the one thread that fills a half
// to 2^15: it takes these out again and adds them to the result. A barrier every 16 bytes of a thread keeps a
// half from overflowing before.
#include "lab.hpp"

constexpr unsigned block_size = 1024, bytes_per_round = 16;
constexpr unsigned half_full = 1u << 15;
static_assert(half_full + block_size * bytes_per_round < (1u << 16),
              "a half holds what one round can add to a full one");

template <class Binning>
__device__ __forceinline__ void count_in_half(unsigned int* words, int bin, unsigned int* histo) {
  if (bin < 0) return;
  const unsigned shift = (bin & 1) * 16;
  const unsigned before = (atomicAdd(&words[bin >> 1], 1u << shift) >> shift) & 0xffffu;
  if (before == half_full - 1) {
    atomicSub(&words[bin >> 1], half_full << shift);
    atomicAdd(&histo[bin], half_full);
  }
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  constexpr unsigned words_used = (Binning::bins + 1) / 2;
  __shared__ unsigned int words[words_used];
  for (unsigned k = threadIdx.x; k < words_used; k += block_size) words[k] = 0;
  const std::size_t of_block = std::size_t{block_size} * bytes_per_round;
  for (std::size_t base = blockIdx.x * of_block; base < length; base += gridDim.x * of_block) {
    unsigned char bytes[bytes_per_round];
    const std::size_t mine = base + threadIdx.x;
    const unsigned here = mine < length
                              ? static_cast<unsigned>(min((length - mine + block_size - 1) / block_size,
                                                          std::size_t{bytes_per_round}))
                              : 0;
#pragma unroll
    for (unsigned k = 0; k < bytes_per_round; ++k) bytes[k] = k < here ? data[mine + k * block_size] : 0;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < bytes_per_round; ++k) {
      if (k < here) count_in_half<Binning>(words, Binning::bin_of(bytes[k]), histo);
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int count = (words[bin >> 1] >> ((bin & 1) * 16)) & 0xffffu;
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{block_size} * bytes_per_round;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
