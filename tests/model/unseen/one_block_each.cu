// SPDX-License-Identifier: MIT
// One block of 1,024 threads on each multiprocessor, a word at a time.
#include "lab.hpp"

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
  for (; w + 3 * threads < words; w += 4 * threads) {
    unsigned loaded[4];
    for (unsigned k = 0; k < 4; ++k) loaded[k] = all[w + k * threads];
    for (unsigned k = 0; k < 16; ++k) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(loaded[k / 4] >> (8 * (k % 4))));
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
  }
  for (std::size_t i = 4 * w; i < 4 * words; i += 4 * threads) {
    for (std::size_t k = i; k < i + 4; ++k) {
      const int bin = Binning::bin_of(data[k]);
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

LaunchShape launch_shape(std::size_t) { return {multiprocessors(), 1024}; }
