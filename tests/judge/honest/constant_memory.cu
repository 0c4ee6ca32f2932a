// SPDX-License-Identifier: MIT
// Honest: __constant__ and __device__ variables.
#include "lab.hpp"

__constant__ int first_bin = 0;
__device__ unsigned int ignored;
namespace { __device__ const int zero = 0; }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= first_bin + zero) atomicAdd(&histo[bin], 1);
  else atomicAdd(&ignored, 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
