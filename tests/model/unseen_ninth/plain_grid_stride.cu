// SPDX-License-Identifier: MIT
// The kernel of a first course: zero the shared histogram, walk over the input with the grid's stride, add
// the block's counts to the result. Two blocks a multiprocessor.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int local[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    local[b] = 0;
  }
  __syncthreads();

  std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  while (i < length) {
    int bin = Binning::bin_of(data[i]);
    if (bin != -1) {
      atomicAdd(&local[bin], 1);
    }
    i += std::size_t{gridDim.x} * blockDim.x;
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    atomicAdd(&histo[b], local[b]);
  }
}

LaunchShape launch_shape(std::size_t) { return {2u * multiprocessors(), 512}; }
