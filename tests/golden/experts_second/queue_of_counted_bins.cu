// SPDX-License-Identifier: MIT
// A tile's bins without the gaps of the bytes that are not counted: a prefix sum over the block gives each
// thread its place in a queue in shared memory, which full warps then count.
#include "lab.hpp"

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kEach = 4;
constexpr unsigned kTile = kThreads * kEach;

__device__ unsigned inclusive_sum_of_warp(unsigned value, unsigned lane) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned lower = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += lower;
  }
  return value;
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned char queue[kTile];
  __shared__ unsigned sums[kWarps];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) counts[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::size_t step = std::size_t{gridDim.x} * kTile;
  for (std::size_t tile = std::size_t{blockIdx.x} * kTile; tile < length; tile += step) {
    int bins[kEach];
    unsigned found = 0;
#pragma unroll
    for (unsigned k = 0; k < kEach; ++k) {
      const std::size_t i = tile + k * kThreads + threadIdx.x;
      bins[k] = i < length ? Binning::bin_of(data[i]) : -1;
      found += bins[k] >= 0;
    }
    const unsigned inclusive = inclusive_sum_of_warp(found, lane);
    if (lane == 31) sums[warp] = inclusive;
    __syncthreads();

    unsigned place = inclusive - found, total = 0;
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) {
      const unsigned sum = sums[w];
      if (w < warp) place += sum;
      total += sum;
    }
#pragma unroll
    for (unsigned k = 0; k < kEach; ++k) {
      if (bins[k] >= 0) queue[place++] = static_cast<unsigned char>(bins[k]);
    }
    __syncthreads();

    for (unsigned k = threadIdx.x; k < total; k += kThreads) atomicAdd(&counts[queue[k]], 1u);
  }
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    const unsigned int n = counts[b];
    if (n) atomicAdd(&histo[b], n);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(tiles < room ? tiles : room), kThreads};
}
