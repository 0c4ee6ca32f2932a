// SPDX-License-Identifier: MIT
// Hostile: launch_shape calls itself until its stack is full.
// expected: limit: deeper overflows the stack: it needs more than 512 KiB per thread for calls and local arrays
// on a GPU: launch_error: cudaErrorInvalidValue: invalid argument
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1);
}

unsigned deeper(std::size_t n) { return n == 0 ? 1 : deeper(n + 1) + 1; }

LaunchShape launch_shape(std::size_t length) { return {deeper(length + 1), 256}; }
