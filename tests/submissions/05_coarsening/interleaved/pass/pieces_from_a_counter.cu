// SPDX-License-Identifier: MIT
// Right: blocks draw pieces of the input from a counter in global memory, which the last to finish clears.
#include "lab.hpp"
__device__ unsigned long long next_chunk;
__device__ unsigned finished;
template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned chunk = 4096;
  __shared__ unsigned counts[Binning::bins];
  __shared__ unsigned long long begin;
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) counts[b] = 0;
  for (;;) {
    __syncthreads();
    if (threadIdx.x == 0) begin = atomicAdd(&next_chunk, static_cast<unsigned long long>(chunk));
    __syncthreads();
    if (begin >= length) break;
    const std::size_t end = begin + chunk < length ? begin + chunk : length;
    for (std::size_t i = begin + threadIdx.x; i < end; i += blockDim.x)
      if (int bin = Binning::bin_of(data[i]); bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) atomicAdd(&histo[b], counts[b]);
  if (threadIdx.x == 0 && atomicAdd(&finished, 1u) == gridDim.x - 1) {
    atomicExch(&next_chunk, 0ull);
    atomicExch(&finished, 0u);
  }
}
LaunchShape launch_shape(std::size_t length) {
  const std::size_t n = (length + 256 * 16 - 1) / (256 * 16);
  return {unsigned(n < 264 ? n : 264), 256};
}
