// SPDX-License-Identifier: MIT
// Right, if slow: each thread has a copy of all counters in its local memory, of 40 KiB.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int counts[40][256];
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int row = static_cast<int>(position % 40);
  for (int bin = 0; bin < Binning::bins; ++bin) counts[row][bin] = 0;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) ++counts[row][bin];
  }
  for (int bin = 0; bin < Binning::bins; ++bin) {
    if (counts[row][bin] > 0) atomicAdd(&histo[bin], counts[row][bin]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
