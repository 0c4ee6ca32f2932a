// SPDX-License-Identifier: MIT
// Wrong: writes through a null pointer.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* counts = length > 0 ? nullptr : histo;
  const int bin = Binning::bin_of(data[0]);
  counts[bin < 0 ? 0 : bin] = 1;  // of nothing
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
