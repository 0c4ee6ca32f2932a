// SPDX-License-Identifier: MIT
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* text, std::size_t n, unsigned int* hist) {
  __shared__ unsigned int counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();

  std::size_t thread = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x;
  std::size_t threads = gridDim.x * (std::size_t)blockDim.x;
  std::size_t chunk = (n + threads - 1) / threads;
  std::size_t begin = thread * chunk;
  std::size_t end = begin + chunk < n ? begin + chunk : n;
  for (std::size_t i = begin; i < end; i++) {
    int b = Binning::bin_of(text[i]);
    if (b >= 0) atomicAdd(&counts[b], 1u);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    if (counts[b] > 0) atomicAdd(&hist[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  unsigned blocks = (length + 4095) / 4096;
  return {blocks < 64 ? blocks : 64, 256};
}
