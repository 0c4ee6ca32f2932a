// SPDX-License-Identifier: MIT
// Each lane number has its own column of counters, padded to 33, so that lanes of a warp never meet at an
// address; warps sum the rows by shuffles at the end.
#include "lab.hpp"

enum : int { kWarpSize = 32, kWarpCount = 16, kThreadCount = kWarpSize * kWarpCount, kPitch = kWarpSize + 1 };

__device__ unsigned int sumOfWarp(unsigned int v) {
  for (int delta = kWarpSize / 2; delta >= 1; delta /= 2) v += __shfl_down_sync(0xffffffff, v, delta);
  return v;
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int columns[Binning::bins * kPitch];
  for (int k = threadIdx.x; k < Binning::bins * kPitch; k += kThreadCount) columns[k] = 0;
  __syncthreads();

  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  unsigned int* const column = columns + lane;

  const std::size_t stride = (std::size_t)gridDim.x * kThreadCount;
  std::size_t pos = (std::size_t)blockIdx.x * kThreadCount + threadIdx.x;
  if (pos < length) {
    unsigned char next = data[pos];
    do {
      const unsigned char current = next;
      pos += stride;
      if (pos < length) next = data[pos];  // fetched ahead of the count
      const int bin = Binning::bin_of(current);
      if (bin >= 0) atomicAdd(column + bin * kPitch, 1u);
    } while (pos < length);
  }
  __syncthreads();

  for (int bin = warp; bin < Binning::bins; bin += kWarpCount) {
    const unsigned int total = sumOfWarp(column[bin * kPitch]);
    if (lane == 0 && total != 0) atomicAdd(&histo[bin], total);
  }
}

LaunchShape launch_shape(std::size_t length) {
  std::size_t grid = length / (kThreadCount * 12) + 1;
  if (grid > multiprocessors() * 4ul) grid = multiprocessors() * 4ul;
  return {(unsigned)grid, kThreadCount};
}
