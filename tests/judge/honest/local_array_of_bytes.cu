// SPDX-License-Identifier: MIT
// Honest: small counters in bytes, in a local array of two dimensions.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned char local[2][Binning::bins] = {};
  const std::size_t begin = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (std::size_t i = begin; i < begin + 16 && i < length; ++i) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++local[i & 1][bin];
  }
  for (int bin = 0; bin < Binning::bins; ++bin) {
    if (const unsigned count = local[0][bin] + local[1][bin]) atomicAdd(histo + bin, count);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 2047) / 2048), 128}; }
