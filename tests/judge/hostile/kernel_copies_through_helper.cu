// SPDX-License-Identifier: MIT
// Hostile: the host keeps the address of a helper for the kernel.
// expected: forbidden: strncpy is not open to a kernel
// on a GPU: build_error: error: identifier "copy" is undefined in device code
#include <cstring>
#include "lab.hpp"

static void (*copy)(char*, const char*);
static void helper(char* to, const char* from) { std::strncpy(to, from, 4); }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  unsigned count = 1;
  copy(reinterpret_cast<char*>(&histo[data[i] % Binning::bins]), reinterpret_cast<char*>(&count));
}

LaunchShape launch_shape(std::size_t length) {
  copy = &helper;
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
