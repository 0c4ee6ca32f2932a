// SPDX-License-Identifier: MIT
// Half of the block's warps count the lower bins and the other half the upper ones, so that each byte is read
// twice.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const unsigned half = threadIdx.x / (blockDim.x / 2), place = threadIdx.x % (blockDim.x / 2);
  const int middle = Binning::bins / 2;
  const std::size_t step = std::size_t{gridDim.x} * (blockDim.x / 2);
  for (std::size_t i = std::size_t{blockIdx.x} * (blockDim.x / 2) + place; i < length; i += step) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0 && (bin >= middle) == (half == 1)) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 7, 256}; }
