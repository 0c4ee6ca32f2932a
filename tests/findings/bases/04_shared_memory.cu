// SPDX-License-Identifier: MIT
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* text, std::size_t n, unsigned int* hist) {
  __shared__ unsigned int counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    counts[b] = 0;
  }
  __syncthreads();

  std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  if (i < n) {
    int b = Binning::bin_of(text[i]);
    if (b >= 0) {
      atomicAdd(&counts[b], 1u);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    atomicAdd(&hist[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  unsigned threads = 256;
  return {(unsigned)((length + threads - 1) / threads), threads};
}
