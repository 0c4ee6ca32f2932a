// SPDX-License-Identifier: MIT
// Loads the next byte before it counts the one that it has.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < length) {
    unsigned char now = data[i];
    for (i += threads; i < length; i += threads) {
      const unsigned char next = data[i];
      const int bin = Binning::bin_of(now);
      if (bin >= 0) atomicAdd(&table[bin], 1u);
      now = next;
    }
    const int bin = Binning::bin_of(now);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
