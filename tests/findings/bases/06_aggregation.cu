// SPDX-License-Identifier: MIT
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* text, std::size_t n, unsigned int* hist) {
  __shared__ unsigned int counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  int previous = -1;
  unsigned int run = 0;
  std::size_t stride = gridDim.x * (std::size_t)blockDim.x;
  for (std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
    int b = Binning::bin_of(text[i]);
    if (b == previous) {
      run++;
    } else {
      if (previous >= 0) atomicAdd(&counts[previous], run);
      previous = b;
      run = 1;
    }
  }
  if (previous >= 0) atomicAdd(&counts[previous], run);
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(&hist[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  unsigned blocks = (length + 4095) / 4096;
  return {blocks < 64 ? blocks : 64, 256};
}
