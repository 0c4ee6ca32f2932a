// SPDX-License-Identifier: MIT
// Hostile: an allowed name that means another.
// expected: forbidden: the attribute unused is not allowed
// judged: build_error: error: attributes that hide code from the checkers are not allowed in a kernel's file
#include "lab.hpp"

#define unused no_sanitize("thread")
__attribute__((unused)) inline int f() { return 1; }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
