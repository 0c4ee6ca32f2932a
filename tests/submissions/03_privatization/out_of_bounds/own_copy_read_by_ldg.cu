// SPDX-License-Identifier: MIT
// Wrong: reads its own copy by __ldg, whose cache is only for what nobody changes during the launch.
#include "lab.hpp"


template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* const own = histo + std::size_t{blockIdx.x} * Binning::bins;
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int bin = position < length ? Binning::bin_of(data[position]) : -1;
  if (bin >= 0) atomicAdd(&own[bin], 1u);
  __syncthreads();
  if (blockIdx.x == 0) return;
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    const unsigned count = __ldg(&own[b]);
    if (count > 0) atomicAdd(&histo[b], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + 255) / 256), 256};
}
