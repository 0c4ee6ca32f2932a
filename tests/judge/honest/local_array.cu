// SPDX-License-Identifier: MIT
// Honest: a histogram in a local array of the thread, added at the end.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned local[Binning::bins] = {};
  const std::size_t stride = gridDim.x * blockDim.x;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++local[bin];
  }
  for (int bin = 0; bin < Binning::bins; ++bin) {
    if (local[bin] > 0) atomicAdd(&histo[bin], local[bin]);
  }
}

LaunchShape launch_shape(std::size_t) { return {16, 128}; }
