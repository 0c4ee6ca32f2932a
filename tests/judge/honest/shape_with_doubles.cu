// SPDX-License-Identifier: MIT
// Honest: launch_shape computes with doubles.
#include <cmath>

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const double blocks = std::ceil(static_cast<double>(length) / 256.0);
  int exponent = 0;
  std::frexp(blocks, &exponent);
  return {static_cast<unsigned>(std::fmax(blocks, exponent > 60 ? 2.0 : 1.0)), 256};
}
