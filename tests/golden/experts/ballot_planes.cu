// SPDX-License-Identifier: MIT
// Bit planes: one __ballot_sync a bit of the bin; lane l then knows how many lanes hold bins l, l + 32, l + 64, ...
#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int per_lane = (Binning::bins + 31) / 32;
  constexpr int high_bits = per_lane > 1 ? 3 : 0;
  unsigned int own[per_lane] = {};

  const unsigned lane = threadIdx.x & 31;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t base = std::size_t{blockIdx.x} * blockDim.x + (threadIdx.x & ~31u);

  for (; base < length; base += stride) {
    const int bin = base + lane < length ? Binning::bin_of(data[base + lane]) : -1;
    unsigned low = __ballot_sync(~0u, bin >= 0);
#pragma unroll
    for (int bit = 0; bit < 5; ++bit) {
      const unsigned plane = __ballot_sync(~0u, (bin >> bit) & 1);
      low &= (lane >> bit) & 1 ? plane : ~plane;
    }
    if constexpr (high_bits == 0) {
      own[0] += __popc(low);
    } else {
      unsigned high[3];
#pragma unroll
      for (int bit = 0; bit < 3; ++bit) high[bit] = __ballot_sync(~0u, (bin >> (5 + bit)) & 1);
#pragma unroll
      for (int k = 0; k < per_lane; ++k) {
        unsigned mask = low;
#pragma unroll
        for (int bit = 0; bit < 3; ++bit) mask &= (k >> bit) & 1 ? high[bit] : ~high[bit];
        own[k] += __popc(mask);
      }
    }
  }

  // Commit: each lane has counters of its own, added up over the block in shared memory first.
  __shared__ unsigned int counts[per_lane * 32];
  for (int b = threadIdx.x; b < per_lane * 32; b += blockDim.x) counts[b] = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < per_lane; ++k)
    if (own[k]) atomicAdd(&counts[k * 32 + lane], own[k]);
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x)
    if (counts[b]) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 32 - 1) / (block * 32);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
