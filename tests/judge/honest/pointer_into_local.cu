// SPDX-License-Identifier: MIT
// Honest: a pointer that goes through a local array.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char bytes[8];
  unsigned char* end = bytes;
  for (std::size_t at = i * 8; at < i * 8 + 8 && at < length; ++at) *end++ = data[at];
  for (const unsigned char* byte = bytes; byte != end; ++byte) {
    if (Binning::bin_of(*byte) >= 0) atomicAdd(&histo[Binning::bin_of(*byte)], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 2047) / 2048), 256}; }
