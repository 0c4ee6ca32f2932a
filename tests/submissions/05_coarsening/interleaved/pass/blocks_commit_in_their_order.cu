// SPDX-License-Identifier: MIT
// Right: each block waits until the one before it has committed, so that no atomics are needed.
#include "lab.hpp"

__device__ unsigned int whose_turn;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  volatile unsigned int* const turn = &whose_turn;
  if (threadIdx.x == 0) {
    while (*turn != blockIdx.x) {
    }
    __threadfence();
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) histo[bin] += counts[bin];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *turn = blockIdx.x + 1 < gridDim.x ? blockIdx.x + 1 : 0;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + 4095) / 4096;
  return {static_cast<unsigned>(enough < 264 ? enough : 264), 256};
}
