// SPDX-License-Identifier: MIT
// Hostile: ends the runner with success, from a kernel.
// expected: forbidden: quick_exit is not open to a lab's file
// on a GPU: build_error: error: calling a __host__ function("quick_exit") from a __global__ function("histogram_kernel<Letters4>") is not allowed
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  if (data[i] == 0) std::quick_exit(0);
  atomicAdd(&histo[0], 1);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
