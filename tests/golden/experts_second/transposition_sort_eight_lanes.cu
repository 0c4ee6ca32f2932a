// SPDX-License-Identifier: MIT
// Every eight lanes sort their bins by odd-even transposition, eight rounds of shuffles. The first lane of a
// run of equal bins adds its length, which the ballot of the first lanes tells.
#include "lab.hpp"

constexpr unsigned group = 8;
constexpr unsigned all_lanes = 0xffffffffu;

__device__ __forceinline__ int sorted_in_group(int key, int place) {
#pragma unroll
  for (int round = 0; round < static_cast<int>(group); ++round) {
    int partner = (place & 1) == (round & 1) ? place + 1 : place - 1;
    if (partner < 0 || partner >= static_cast<int>(group)) partner = place;
    const int other = __shfl_sync(all_lanes, key, partner, group);
    key = place < partner ? min(key, other) : max(key, other);
  }
  return key;
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int nothing = Binning::bins;
  __shared__ unsigned int counts[Binning::bins];
  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  const unsigned place = lane % group;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x - lane; base < length;
       base += stride) {
    int key = nothing;
    if (base + lane < length) {
      const int bin = Binning::bin_of(data[base + lane]);
      if (bin >= 0) key = bin;
    }
    key = sorted_in_group(key, static_cast<int>(place));
    const int before = __shfl_up_sync(all_lanes, key, 1, group);
    const bool first = place == 0 || before != key;
    const unsigned firsts = __ballot_sync(all_lanes, first) >> (lane - place) & 0xffu;
    if (first && key != nothing) {
      const unsigned later = firsts >> (place + 1);
      const unsigned run = later != 0 ? __ffs(static_cast<int>(later)) : group - place;
      atomicAdd(&counts[key], run);
    }
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 384;
  const std::size_t enough = (length + block * 8 - 1) / (block * 8);
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
