// SPDX-License-Identifier: MIT
// Honest: arithmetic in 64 and 128 bits.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long product = __umul64hi(length, i) + static_cast<unsigned long long>(i) * length;
  if (product == 0xffffffffffffffffull) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
