// SPDX-License-Identifier: MIT
// Right: a block whose size is no power of two, and a pointer in place of an index.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const unsigned char* const byte = data + std::size_t{blockDim.x} * blockIdx.x + threadIdx.x;
  if (byte < data + length && Binning::bin_of(*byte) >= 0) atomicAdd(histo + Binning::bin_of(*byte), 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 999) / 1000), 1000}; }
