// SPDX-License-Identifier: MIT
// Honest: a local array of many kilobytes.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned local[2048];
  for (unsigned n = 0; n < 2048; ++n) local[n] = n + threadIdx.x;
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (local[(i * 7) % 2048] == 0xffffffff) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 63) / 64), 64}; }
