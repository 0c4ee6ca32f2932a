// SPDX-License-Identifier: MIT
// Hostile: the harness's own function would be compiled in another way.
// expected: forbidden: a macro must not have the name __optimize__
#include "lab.hpp"

#define __optimize__(how) unused

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
