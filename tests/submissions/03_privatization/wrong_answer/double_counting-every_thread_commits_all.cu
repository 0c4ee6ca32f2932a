// SPDX-License-Identifier: MIT
// Wrong: every thread adds every bin of the copy.
// on a GPU: wrong_answer double_counting
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* const own = histo + std::size_t{blockIdx.x} * Binning::bins;
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&own[bin], 1u);
  }
  __syncthreads();
  if (blockIdx.x == 0) return;
  for (unsigned bin = 0; bin < Binning::bins; ++bin) {
    if (own[bin] > 0) atomicAdd(&histo[bin], own[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
