// SPDX-License-Identifier: MIT
// Hostile: jumps out of the kernel, over the checkers.
// expected: forbidden: longjmp is not open to a lab's file
// on a GPU: build_error: error: calling a __host__ function("longjmp") from a __global__ function("histogram_kernel<Letters4>") is not allowed
#include <csetjmp>
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  std::jmp_buf place;
  if (data[i] == 0) std::longjmp(place, 1);
  atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
