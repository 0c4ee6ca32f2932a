// SPDX-License-Identifier: MIT
// Wrong: waits for a counter that nobody changes.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= length) return;
  while (atomicAdd(&histo[0], 0u) == 0) {  // for ever
  }
  atomicAdd(&histo[Binning::bin_of(data[position])], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
