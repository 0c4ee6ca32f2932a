// SPDX-License-Identifier: MIT
// Right: the first warp alone adds the own copy, zeros too.
// on a GPU: pass
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
  if (threadIdx.x >= 32 || blockIdx.x == 0) return;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += 32) atomicAdd(&histo[bin], own[bin]);
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 511) / 512), 512}; }
