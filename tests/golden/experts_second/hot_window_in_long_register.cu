// SPDX-License-Identifier: MIT
// Eight neighbouring bins, those around the first counted byte of the block, live in eight 8-bit fields of a
// 64-bit register of each thread; all others in shared memory. The fields are emptied before one can
// overflow.
#include "lab.hpp"

constexpr unsigned block_threads = 256;
constexpr unsigned word_bytes = 16;
constexpr unsigned turns_until_full = 255 / word_bytes;

__device__ __forceinline__ void empty_fields(unsigned int* counts, unsigned window,
                                             unsigned long long& fields) {
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) {
    const unsigned int n = static_cast<unsigned int>(fields >> 8 * k) & 0xffu;
    if (n > 0) atomicAdd(&counts[window + k], n);
  }
  fields = 0;
}

template <class Binning>
__device__ __forceinline__ void count_byte(unsigned int* counts, unsigned window, unsigned long long& fields,
                                           unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  const unsigned offset = static_cast<unsigned>(bin) - window;
  const bool inside = bin >= 0 && offset < 8;
  fields += static_cast<unsigned long long>(inside) << 8 * (offset & 7);
  if (bin >= 0 && !inside) atomicAdd(&counts[bin], 1u);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned shared_window;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x * word_bytes;
  if (threadIdx.x == 0) {
    int bin = -1;
    for (std::size_t i = first; bin < 0 && i < length && i < first + 16; ++i) bin = Binning::bin_of(data[i]);
    shared_window = bin < 0 ? 0 : static_cast<unsigned>(bin) & ~7u;
  }
  __syncthreads();

  const unsigned window = shared_window;
  unsigned long long fields = 0;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t words =
      reinterpret_cast<std::uintptr_t>(data) % word_bytes == 0 ? length / word_bytes : 0;
  unsigned turns = 0;
  for (std::size_t w = thread; w < words; w += threads) {
    const uint4 word = __ldcs(reinterpret_cast<const uint4*>(data) + w);
    const unsigned int parts[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
    for (int part = 0; part < 4; ++part) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        count_byte<Binning>(counts, window, fields, static_cast<unsigned char>(parts[part] >> 8 * k));
      }
    }
    if (++turns == turns_until_full) {
      empty_fields(counts, window, fields);
      turns = 0;
    }
  }
  empty_fields(counts, window, fields);
  for (std::size_t i = words * word_bytes + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = std::size_t{block_threads} * word_bytes * 2;
  const std::size_t enough = (length + tile - 1) / tile;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_threads);
  return {static_cast<unsigned>(enough < most ? enough : most), block_threads};
}
