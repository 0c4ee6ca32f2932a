// SPDX-License-Identifier: MIT
// Wrong: the block with the highest number adds all copies, though others may still count.
#include "lab.hpp"

__device__ unsigned int ended;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* const own = histo + std::size_t{blockIdx.x} * Binning::bins;
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&own[bin], 1u);
  }

  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicInc(&ended, gridDim.x - 1);
    last = blockIdx.x == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last) return;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) sum += histo[std::size_t{block} * Binning::bins + bin];
    histo[bin] = sum;
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
