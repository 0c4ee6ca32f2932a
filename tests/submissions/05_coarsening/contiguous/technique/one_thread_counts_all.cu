// SPDX-License-Identifier: MIT
// Wrong: one thread of one block counts everything in shared memory.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (int bin = 0; bin < Binning::bins; ++bin) counts[bin] = 0;
  for (std::size_t position = 0; position < length; ++position) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) ++counts[bin];
  }
  for (int bin = 0; bin < Binning::bins; ++bin) histo[bin] += counts[bin];
}

LaunchShape launch_shape(std::size_t) { return {1, 1}; }
