// SPDX-License-Identifier: MIT
// Wrong: the warp that arrives last commits, but no __syncwarp hands on to its lanes what the first one has acquired.
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins], arrived;
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  const std::size_t position = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (position < length) {
    const int bin = Binning::bin_of(data[position]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
  __syncwarp();
  const unsigned lane = threadIdx.x % 32, warps = blockDim.x / 32;
  unsigned int before = 0;
  if (lane == 0) {
    __threadfence_block();
    before = atomicAdd(&arrived, 1u);
    __threadfence_block();
  }
  before = __shfl_sync(0xffffffffu, before, 0);
  if (before != warps - 1) return;
  for (unsigned bin = lane; bin < Binning::bins; bin += 32) {
    if (counts[bin] > 0) atomicAdd(&histo[bin], counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  return {static_cast<unsigned>((length + block - 1) / block), block};
}
