// SPDX-License-Identifier: MIT
// Right: the last block reads the copies of the others by __ldcg, from the cache that all blocks share.
#include "lab.hpp"
__device__ unsigned int finished;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* const own = histo + std::size_t{blockIdx.x} * Binning::bins;
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  int bin = position < length ? Binning::bin_of(data[position]) : -1;
  if (bin >= 0) atomicAdd(&own[bin], 1u);
  __threadfence();
  __shared__ bool is_last;
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    __threadfence();
    for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
      unsigned sum = 0;
      for (unsigned block = 0; block < gridDim.x; ++block) sum += __ldcg(&histo[std::size_t{block} * Binning::bins + b]);
      histo[b] = sum;
    }
    if (threadIdx.x == 0) finished = 0;
  }
}

LaunchShape launch_shape(std::size_t length) {
  return {static_cast<unsigned>((length + 511) / 512), 512};
}
