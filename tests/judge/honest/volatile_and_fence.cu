// SPDX-License-Identifier: MIT
// Honest: a volatile pointer and a fence.
#include "lab.hpp"

__device__ unsigned int finished;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
  __threadfence();
  if (threadIdx.x == 0) atomicInc(&finished, gridDim.x - 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
