// SPDX-License-Identifier: MIT
// Wrong: a single thread does all the work.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  if (blockIdx.x > 0 || threadIdx.x > 0) return;
  for (std::size_t i = 0; i < length; ++i) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) ++histo[bin];
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
