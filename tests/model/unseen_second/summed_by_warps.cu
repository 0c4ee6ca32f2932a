// SPDX-License-Identifier: MIT
// A table for each warp; at the end the lanes of a warp add up what all warps have of a bin, by shuffles.
#include "lab.hpp"

constexpr unsigned warps_of_block = 16;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned tables[warps_of_block][Binning::bins];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned bin = lane; bin < Binning::bins; bin += 32) tables[warp][bin] = 0;
  __syncwarp();
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&tables[warp][bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = warp; bin < Binning::bins; bin += warps_of_block) {
    unsigned count = lane < warps_of_block ? tables[lane][bin] : 0;
    for (unsigned offset = 16; offset > 0; offset /= 2) count += __shfl_down_sync(~0u, count, offset);
    if (lane == 0 && count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 4, 32 * warps_of_block}; }
