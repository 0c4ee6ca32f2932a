// SPDX-License-Identifier: MIT
// Each warp sorts its 32 bins by shuffles; the last lane of each run of equal ones adds the run's length.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x & 31;
  const std::size_t warps = std::size_t{gridDim.x} * (blockDim.x / 32);
  for (std::size_t w = std::size_t{blockIdx.x} * (blockDim.x / 32) + threadIdx.x / 32; w * 32 < length;
       w += warps) {
    const std::size_t i = w * 32 + lane;
    int key = i < length ? Binning::bin_of(data[i]) : -1;
#pragma unroll
    for (unsigned size = 2; size <= 32; size <<= 1) {
#pragma unroll
      for (unsigned distance = size >> 1; distance > 0; distance >>= 1) {
        const int other = __shfl_xor_sync(~0u, key, distance);
        const bool is_lower = (lane & distance) == 0, ascending = (lane & size) == 0;
        key = is_lower == ascending ? min(key, other) : max(key, other);
      }
    }
    const int next = __shfl_down_sync(~0u, key, 1);
    const bool is_end = lane == 31 || next != key;
    const unsigned ends = __ballot_sync(~0u, is_end);
    if (is_end && key >= 0) {
      const unsigned below = ends & ((1u << lane) - 1);
      const unsigned run = below ? lane - (31 - __clz(below)) : lane + 1;
      atomicAdd(&counts[key], run);
    }
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) { return {120, 256}; }
