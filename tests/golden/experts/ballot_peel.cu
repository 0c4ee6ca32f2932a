// SPDX-License-Identifier: MIT
// Peeling: while lanes are left, the bin of the first one is broadcast, a ballot finds its equals, one atomic for all.
#include "lab.hpp"

#define FULL 0xffffffffu

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int bins[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) bins[b] = 0;
  __syncthreads();

  const int lane = threadIdx.x & 31;
  const std::size_t step = (std::size_t)gridDim.x * blockDim.x;
  for (std::size_t i = (std::size_t)blockIdx.x * blockDim.x + threadIdx.x; __any_sync(FULL, i < length); i += step) {
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    unsigned left = __ballot_sync(FULL, bin >= 0);
    while (left) {
      const int first = __ffs(left) - 1;
      const int wanted = __shfl_sync(FULL, bin, first);
      const unsigned equal = __ballot_sync(FULL, bin == wanted);
      if (lane == first) atomicAdd(&bins[wanted], __popc(equal));
      left &= ~equal;
    }
  }

  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (bins[b]) atomicAdd(&histo[b], bins[b]);
}

LaunchShape launch_shape(std::size_t length) {
  const unsigned threads = 256;
  const std::size_t enough = (length + threads * 16 - 1) / (threads * 16);
  const std::size_t cap = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(enough < cap ? enough : cap), threads};
}
