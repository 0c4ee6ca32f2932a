// SPDX-License-Identifier: MIT
// Wrong: every thread reads its byte, but one of each block counts them all, and one block counts for all.
#include "lab.hpp"

constexpr unsigned block = 256;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ int bins[block];
  if (threadIdx.x < Binning::bins) counts[threadIdx.x] = 0;
  for (std::size_t begin = 0; begin < length; begin += block) {
    const std::size_t position = begin + threadIdx.x;
    bins[threadIdx.x] = position < length ? Binning::bin_of(data[position]) : -1;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (unsigned i = 0; i < block; ++i) {
        if (bins[i] >= 0) ++counts[bins[i]];
      }
    }
    __syncthreads();
  }
  if (threadIdx.x < Binning::bins) histo[threadIdx.x] = counts[threadIdx.x];
}

LaunchShape launch_shape(std::size_t) { return {1, block}; }
