// SPDX-License-Identifier: MIT
// Wrong: each block leaves its counts and draws a number; the last one adds all up, without a fence in between.
#include "lab.hpp"

namespace {

constexpr unsigned most_blocks = 64;
__device__ unsigned int sums[most_blocks][256];
__device__ unsigned int blocks_done;

}  // namespace

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ bool is_last;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    sums[blockIdx.x][bin] = counts[bin];
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) sum += sums[block][bin];
    histo[bin] = sum;
  }
  if (threadIdx.x == 0) blocks_done = 0;
}

LaunchShape launch_shape(std::size_t) { return {most_blocks, 256}; }
