// SPDX-License-Identifier: MIT
// Each block writes its counts to a place of its own; the block that is last adds all of them up.
#include "lab.hpp"

constexpr unsigned kMostBlocks = 128;
__device__ unsigned int partial[kMostBlocks * 256];
__device__ unsigned int finished = 0;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ bool last;
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < length;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    partial[blockIdx.x * Binning::bins + b] = counts[b];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    unsigned int sum = 0;
    for (unsigned k = 0; k < gridDim.x; ++k) sum += __ldcg(&partial[k * Binning::bins + b]);
    histo[b] += sum;
  }
}

LaunchShape launch_shape(std::size_t length) { return {kMostBlocks, 256}; }
