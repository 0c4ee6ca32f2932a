// SPDX-License-Identifier: MIT
// Right: a small grid whose threads go round; a pointer moves to the own copy.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* own = histo;
  own += std::size_t{blockIdx.x} * Binning::bins;
  for (std::size_t i = threadIdx.x + std::size_t{blockIdx.x} * blockDim.x; i < length; i += std::size_t{gridDim.x} * blockDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(own + bin, 1u);
  }
  __syncthreads();
  if (blockIdx.x == 0) return;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (own[bin] > 0) atomicAdd(&histo[bin], own[bin]);
  }
}

LaunchShape launch_shape(std::size_t) { return {40, 128}; }
