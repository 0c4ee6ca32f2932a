// SPDX-License-Identifier: MIT
// Honest: references to elements and to locals.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  const int bin = Binning::bin_of(data[i]);
  if (bin < 0) return;
  unsigned int& counter = histo[bin];
  const int& same = bin;
  atomicAdd(&counter, same == bin ? 1 : 0);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
