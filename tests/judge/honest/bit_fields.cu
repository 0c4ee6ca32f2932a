// SPDX-License-Identifier: MIT
// Honest: a struct with bit fields.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  struct {
    unsigned low : 4, high : 4;
    unsigned char rest;
  } parts;
  parts.low = threadIdx.x;
  parts.high = threadIdx.x >> 4;
  parts.rest = 0;
  if (parts.low + 16 * parts.high != (threadIdx.x & 255)) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
