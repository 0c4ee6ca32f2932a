// SPDX-License-Identifier: MIT
// Twelve neighbouring bytes for each thread and turn, as three words; blocks of 384 threads.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t triples = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 12 : 0;
  const unsigned* const all = reinterpret_cast<const unsigned*>(data);
  for (std::size_t t = thread; t < triples; t += threads) {
    const unsigned words[3] = {all[3 * t], all[3 * t + 1], all[3 * t + 2]};
    for (int k = 0; k < 3; ++k) {
      for (int shift = 0; shift < 32; shift += 8) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(words[k] >> shift));
        if (bin >= 0) atomicAdd(&table[bin], 1u);
      }
    }
  }
  for (std::size_t i = 12 * triples + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 5, 384}; }
