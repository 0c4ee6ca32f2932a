// SPDX-License-Identifier: MIT
// Honest: a function with more parameters than there are registers for.
#include "lab.hpp"

__device__ __noinline__ void add(unsigned int* histo, int bin, int a, int b, int c, int d, int e, int f, int g, int h, int j) {
  atomicAdd(&histo[bin], a + b + c + d + e + f + g + h + j - 44);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin >= 0) add(histo, bin, 1, 2, 3, 4, 5, 6, 7, 8, 9);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
