// SPDX-License-Identifier: MIT
// A table for each warp in dynamic shared memory, as many as the block has warps.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  extern __shared__ unsigned int tables[];
  const int warps = blockDim.x / warpSize;
  const int warp = threadIdx.x / warpSize;
  unsigned int* my_table = &tables[warp * Binning::bins];
  for (int i = threadIdx.x; i < warps * Binning::bins; i += blockDim.x) tables[i] = 0;
  __syncthreads();
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < length;
       i += std::size_t{blockDim.x} * gridDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin != -1) atomicAdd(&my_table[bin], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    unsigned int total = 0;
    for (int w = 0; w < warps; w++) total += tables[w * Binning::bins + bin];
    atomicAdd(&histo[bin], total);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const unsigned block = 256;
  return {80, block, block / 32 * Bytes::bins * sizeof(unsigned int)};
}
