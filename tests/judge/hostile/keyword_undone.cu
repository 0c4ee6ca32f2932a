// SPDX-License-Identifier: MIT
// Hostile: the input could be written, and the harness's own tables would not compile.
// expected: forbidden: a macro must not have the name const
#include "lab.hpp"

#define const

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  data[i] = 'a';
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
