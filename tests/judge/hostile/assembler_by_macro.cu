// SPDX-License-Identifier: MIT
// Hostile: a macro stands for the word.
// expected: forbidden: assembler is not allowed
// judged: build_error: error: inline PTX is not simulated: it needs a GPU
// on a GPU: forbidden: this macro holds assembler, outside of device code
#include "lab.hpp"

#define INLINE __asm__
INLINE("nop");

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
