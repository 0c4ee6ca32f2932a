// SPDX-License-Identifier: MIT
// Honest: a function passed on as an argument.
#include "lab.hpp"

__device__ inline void add(unsigned int* p) { atomicAdd(p, 1); }
template <void (*Add)(unsigned int*)>
__device__ void with(unsigned int* p) { Add(p); }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) with<add>(&histo[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
