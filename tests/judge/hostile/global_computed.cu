// SPDX-License-Identifier: MIT
// Hostile: a global number that is computed before the harness runs.
// expected: forbidden: seen is initialised by code that runs before the workbook
#include "lab.hpp"

static long seen = *reinterpret_cast<long*>(0x400000);

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) {
  if (seen == 0) return {1, 1};
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
