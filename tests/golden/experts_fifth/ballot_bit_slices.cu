// SPDX-License-Identifier: MIT
// No atomics in the loop: a warp votes on each bit of its 32 bins, and lane l counts bins l, l + 32, l + 64
// ... in registers, from the votes.
#include "lab.hpp"

constexpr unsigned every_lane = ~0u;

__device__ inline unsigned agree(unsigned votes, unsigned bit) { return bit ? votes : ~votes; }

template <class Binning>
__global__ void __launch_bounds__(256)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int groups = (Binning::bins + 31) / 32;
  constexpr int high_bits = groups > 4 ? 3 : groups > 2 ? 2 : groups > 1 ? 1 : 0;
  __shared__ unsigned int table[groups * 32];
  for (int b = threadIdx.x; b < groups * 32; b += 256) table[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32;
  unsigned counts[groups] = {};
  std::size_t base = (std::size_t(blockIdx.x) * 256 + threadIdx.x) - lane;
  for (; base < length; base += std::size_t(gridDim.x) * 256) {
    const int bin = base + lane < length ? Binning::bin_of(data[base + lane]) : -1;
    unsigned same = __ballot_sync(every_lane, bin >= 0);
#pragma unroll
    for (int k = 0; k < 5; ++k) same &= agree(__ballot_sync(every_lane, (bin >> k) & 1), (lane >> k) & 1);
    unsigned votes[3] = {0, 0, 0};
#pragma unroll
    for (int k = 0; k < high_bits; ++k) votes[k] = __ballot_sync(every_lane, (bin >> (5 + k)) & 1);
#pragma unroll
    for (int g = 0; g < groups; ++g) {
      unsigned mask = same;
#pragma unroll
      for (int k = 0; k < high_bits; ++k) mask &= agree(votes[k], (g >> k) & 1);
      counts[g] += __popc(mask);
    }
  }
#pragma unroll
  for (int g = 0; g < groups; ++g) {
    if (counts[g]) atomicAdd(&table[g * 32 + lane], counts[g]);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += 256)
    if (table[b]) atomicAdd(&histo[b], table[b]);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t few = length / 4096 + 1, many = 8u * multiprocessors();
  return {static_cast<unsigned>(few < many ? few : many), 256};
}
