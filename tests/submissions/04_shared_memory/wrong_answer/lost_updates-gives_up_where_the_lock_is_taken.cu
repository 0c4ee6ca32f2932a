// SPDX-License-Identifier: MIT
// Wrong: whoever finds a bin locked leaves its byte out.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins], locks[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = locks[bin] = 0;
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int bin = position < length ? Binning::bin_of(data[position]) : -1;
  if (bin >= 0) {
    if (atomicCAS(&locks[bin], 0u, 1u) == 0) {
      __threadfence_block();
      ++counts[bin];
      __threadfence_block();
      atomicExch(&locks[bin], 0u);
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    const unsigned int count = counts[b];
    if (count > 0) atomicAdd(&histo[b], count);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
