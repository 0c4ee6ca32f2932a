// SPDX-License-Identifier: MIT
// Honest: launch_shape calls through pointers, and lambdas that capture.
#include "lab.hpp"

static unsigned rounded(std::size_t length, unsigned block) { return static_cast<unsigned>((length + block - 1) / block); }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) {
  unsigned (*const divide)(std::size_t, unsigned) = rounded;
  unsigned block = 64;
  const auto grow = [&block] { block *= 2; };
  while (block < 256) grow();
  return {divide(length, block), block};
}
