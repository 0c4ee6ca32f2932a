// SPDX-License-Identifier: MIT
// Hostile: what follows claims to stand in another file.
// expected: forbidden: #line is not allowed
#include "lab.hpp"

#line 1 "common/runner/runner.cpp"
__asm__("nop");

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
