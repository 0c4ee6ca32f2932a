// SPDX-License-Identifier: MIT
// Honest: a table of device functions, chosen by the byte.
#include "lab.hpp"

using Action = void (*)(unsigned int*, int);
__device__ void count(unsigned int* histo, int bin) { atomicAdd(&histo[bin], 1); }
__device__ void ignore(unsigned int*, int) {}
__device__ constexpr Action table[] = {ignore, count};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  table[bin >= 0](histo, bin);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
