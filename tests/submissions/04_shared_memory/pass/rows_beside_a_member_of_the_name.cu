// SPDX-License-Identifier: MIT
// Right: the shared array is cleared through its first row, and a member of a struct has its name.
#include "lab.hpp"

template <class Binning>
struct local_counts {
  unsigned int counts[Binning::bins];
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (unsigned int& count : counts) count = 0;
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[4][Binning::bins];
  for (unsigned k = threadIdx.x; k < 4 * Binning::bins; k += blockDim.x) counts[0][k] = 0;
  __syncthreads();
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[threadIdx.x / 64][bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int sum = counts[0][bin] + counts[1][bin] + counts[2][bin] + counts[3][bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
