// SPDX-License-Identifier: MIT
// Hostile: launch_shape never returns.
// expected: timeout: launch_shape still runs after 9 s
// on a GPU: timeout: no answer within 10 s
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) {
  volatile std::size_t n = length;
  while (n == length) {
  }
  return {1, 1};
}
