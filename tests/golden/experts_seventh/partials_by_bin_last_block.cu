// SPDX-License-Identifier: MIT
// Blocks store what they counted bin by bin, so that what all blocks have of a bin lies side by side. In the
// block that finishes last each warp takes a bin at a time and adds up its row.
#include "lab.hpp"

constexpr unsigned kThreads = 512;
constexpr unsigned kMostBlocks = 512;

__device__ unsigned int rows[256 * kMostBlocks];
__device__ unsigned int blocks_done;

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  __shared__ unsigned int ticket;
  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) counts[b] = 0;
  __syncthreads();

  const auto tally = [&](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) atomicAdd(counts + bin, 1u);
  };
  const std::size_t start = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint2) == 0;
  const std::size_t pairs = aligned ? length / sizeof(uint2) : 0;
  const uint2* const from = reinterpret_cast<const uint2*>(data);
#pragma unroll 2
  for (std::size_t i = start; i < pairs; i += stride) {
    const uint2 pair = from[i];
#pragma unroll
    for (unsigned shift = 0; shift < 32; shift += 8) {
      tally(pair.x >> shift);
      tally(pair.y >> shift);
    }
  }
  for (std::size_t i = pairs * sizeof(uint2) + start; i < length; i += stride) tally(data[i]);
  __syncthreads();

  for (unsigned b = threadIdx.x; b < Binning::bins; b += kThreads) {
    rows[b * kMostBlocks + blockIdx.x] = counts[b];
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) ticket = atomicInc(&blocks_done, gridDim.x - 1);
  __syncthreads();
  if (ticket != gridDim.x - 1) return;

  __threadfence();
  const unsigned lane = threadIdx.x % 32;
  for (unsigned b = threadIdx.x / 32; b < Binning::bins; b += kThreads / 32) {
    unsigned int sum = 0;
    for (unsigned k = lane; k < gridDim.x; k += 32) sum += __ldcg(&rows[b * kMostBlocks + k]);
    sum = __reduce_add_sync(0xffffffffu, sum);
    if (lane == 0) histo[b] += sum;
  }
}

LaunchShape launch_shape(std::size_t length) {
  std::size_t grid = (length + kThreads * 16 - 1) / (kThreads * 16);
  const std::size_t resident = 3 * std::size_t{multiprocessors()};
  if (grid > resident) grid = resident;
  if (grid > kMostBlocks) grid = kMostBlocks;
  return {static_cast<unsigned>(grid), kThreads};
}
