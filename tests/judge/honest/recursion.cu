// SPDX-License-Identifier: MIT
// Honest: a function that calls itself.
#include "lab.hpp"

__device__ __noinline__ unsigned depth(unsigned n) { return n == 0 ? 0 : depth(n - 1) + 1; }

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) atomicAdd(&histo[bin], 1 + depth(threadIdx.x % 8) - threadIdx.x % 8);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
