// SPDX-License-Identifier: MIT
// Wrong: threads look whether theirs is the last block before thread 0 knows. What they do then in `histo` comes of that.
#include "lab.hpp"

__device__ unsigned int finished = 0;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  unsigned int* own = histo + std::size_t{blockIdx.x} * Binning::bins;
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&own[bin], 1u);
  }
  __threadfence();
  __syncthreads();
  __shared__ bool last;
  if (threadIdx.x == 0) last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  if (last) { 
    __threadfence();
    for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
      unsigned int sum = 0;
      for (unsigned block = 0; block < gridDim.x; ++block) sum += histo[std::size_t{block} * Binning::bins + bin];
      histo[bin] = sum;
    }
  }
}
LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
