// SPDX-License-Identifier: MIT
// The lanes that hold the same bin find each other by votes: the lowest lane asks who has its bin, adds for
// all of them, and they are done; then the lowest of those that are left.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < length;
       base += threads) {
    const int bin = base + lane < length ? Binning::bin_of(data[base + lane]) : -1;
    unsigned left = __ballot_sync(~0u, bin >= 0);
    while (left != 0) {
      const int leader = __ffs(left) - 1;
      const int wanted = __shfl_sync(~0u, bin, leader);
      const unsigned same = __ballot_sync(~0u, bin == wanted);
      if (lane == static_cast<unsigned>(leader)) atomicAdd(&table[wanted], __popc(same));
      left &= ~same;
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
