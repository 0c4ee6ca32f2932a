// SPDX-License-Identifier: MIT
// Wrong: a private copy for each of two blocks, but only one thread of each counts, a half of the bytes.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t half = (length + 1) / 2;
  const std::size_t begin = blockIdx.x * half, end = begin + half < length ? begin + half : length;
  unsigned int* const copy = histo + blockIdx.x * Binning::bins;
  for (std::size_t position = begin; position < end; ++position) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&copy[bin], 1u);
  }
  if (blockIdx.x == 0) return;
  for (int bin = 0; bin < Binning::bins; ++bin) atomicAdd(&histo[bin], copy[bin]);
}

LaunchShape launch_shape(std::size_t) { return {2, 1}; }
