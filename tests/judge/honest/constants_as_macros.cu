// SPDX-License-Identifier: MIT
// Honest: sizes and a check of bounds as macros, before and behind the include.
#define BLOCK 256
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
#include "lab.hpp"

#define IN_BOUNDS(i, n) ((i) < (n))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!IN_BOUNDS(i, length)) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>(DIV_UP(length, BLOCK)), 256}; }
