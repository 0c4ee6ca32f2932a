// SPDX-License-Identifier: MIT
// Each thread grows a string: a function of the library that stays a call allocates.
#include <string>

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position >= length) return;
  const int bin = Binning::bin_of(data[position]);
  if (bin < 0) return;
  std::string found;
  for (int k = 0; k < 40; ++k) found += static_cast<char>(bin);  // a string
  atomicAdd(&histo[found[7]], 1u);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
