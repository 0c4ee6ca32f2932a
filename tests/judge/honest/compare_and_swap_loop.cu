// SPDX-License-Identifier: MIT
// Honest: an atomic of one's own, by atomicCAS.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin < 0) return;
  unsigned old = histo[bin], expected;
  do {
    expected = old;
    old = atomicCAS(&histo[bin], expected, expected + 1);
  } while (old != expected);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
