// SPDX-License-Identifier: MIT
// Hostile: the host keeps the address of a function that reads for the kernel.
// expected: forbidden: this takes the address of strcmp
// on a GPU: build_error: error: identifier "compare" is undefined in device code
#include <cstring>
#include "lab.hpp"

static int (*compare)(const char*, const char*);

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  unsigned count = 1;
  if (compare(reinterpret_cast<const char*>(data), "a") == 0) atomicAdd(&histo[0], count);
}

LaunchShape launch_shape(std::size_t length) {
  compare = &std::strcmp;
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
