// SPDX-License-Identifier: MIT
// Wrong: the private copies of lab 03, in memory of its own.
#include "lab.hpp"

__device__ unsigned int copies[1100 * 256];

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* const own = copies + std::size_t{blockIdx.x} * Binning::bins;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&own[bin], 1u);
  }

  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (own[bin] > 0) atomicAdd(&histo[bin], own[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 1023) / 1024), 1024}; }
