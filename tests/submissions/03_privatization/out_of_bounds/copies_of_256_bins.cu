// SPDX-License-Identifier: MIT
// Wrong: every copy as long as the longest.
// on a GPU: out_of_bounds
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* const own = histo + std::size_t{blockIdx.x} * 256;
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&own[bin], 1u);
  }
  __syncthreads();
  if (blockIdx.x == 0) return;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    if (own[bin] > 0) atomicAdd(&histo[bin], own[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
