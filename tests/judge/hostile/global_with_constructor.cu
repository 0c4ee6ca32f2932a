// SPDX-License-Identifier: MIT
// Hostile: a constructor of a global object, which runs before the harness.
// expected: forbidden: this variable is initialised by code that runs before the workbook
#include "lab.hpp"

struct Before {
  Before() { std::printf("PASS\n"); }
} before;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
