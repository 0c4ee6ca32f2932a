// SPDX-License-Identifier: MIT
// Hostile: a kernel writes counts by a function of the library that no checker sees.
// expected: forbidden: strncpy is not open to a kernel
// on a GPU: build_error: error: calling a __host__ function("strncpy") from a __global__ function("histogram_kernel<Letters4>") is not allowed
#include <cstring>
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  unsigned count = 1;
  std::strncpy(reinterpret_cast<char*>(&histo[data[i] % Binning::bins]), reinterpret_cast<char*>(&count), 4);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
