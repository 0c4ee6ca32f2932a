// SPDX-License-Identifier: MIT
// A block on every fourth multiprocessor, whose threads have four words under way.
#include "lab.hpp"

constexpr unsigned under_way = 4;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  const unsigned* const all = reinterpret_cast<const unsigned*>(data);
  std::size_t w = thread;
  for (; w + (under_way - 1) * threads < words; w += under_way * threads) {
    unsigned loaded[under_way];
    for (unsigned k = 0; k < under_way; ++k) loaded[k] = all[w + k * threads];
    for (const unsigned word : loaded) {
      for (int shift = 0; shift < 32; shift += 8) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
        if (bin >= 0) atomicAdd(&table[bin], 1u);
      }
    }
  }
  // Words that are left, and bytes behind the last word.
  for (; w < words; w += threads) {
    for (int shift = 0; shift < 32; shift += 8) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(all[w] >> shift));
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
  }
  for (std::size_t i = 4 * words + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {(multiprocessors() + 3) / 4, 512}; }
