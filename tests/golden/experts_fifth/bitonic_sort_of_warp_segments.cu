// SPDX-License-Identifier: MIT
// A warp sorts its 32 bins with a bitonic network of shuffles; the head of each run of equal bins adds the
// run's length to the table.
#include "lab.hpp"

constexpr unsigned kFull = 0xffffffffu, kNone = 0xffffu;

__device__ __forceinline__ unsigned bitonic_sort(unsigned key, unsigned lane) {
#pragma unroll
  for (unsigned size = 2; size <= 32; size <<= 1) {
#pragma unroll
    for (unsigned stride = size >> 1; stride > 0; stride >>= 1) {
      const unsigned other = __shfl_xor_sync(kFull, key, stride);
      const bool lower = (lane & stride) == 0, ascending = (lane & size) == 0;
      key = lower == ascending ? min(key, other) : max(key, other);
    }
  }
  return key;
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) table[b] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x & 31;
  const unsigned warps = gridDim.x * (blockDim.x >> 5);
  const std::size_t groups = (length + 31) / 32;
  for (std::size_t group = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5); group < groups;
       group += warps) {
    const std::size_t at = group * 32 + lane;
    unsigned key = kNone;
    if (at < length) {
      const int bin = Binning::bin_of(__ldg(data + at));
      if (bin >= 0) key = bin;
    }
    key = bitonic_sort(key, lane);

    const unsigned before = __shfl_up_sync(kFull, key, 1);
    const bool head = lane == 0 || before != key;
    const unsigned heads = __ballot_sync(kFull, head);
    if (!head || key == kNone) continue;
    const unsigned later = heads >> lane >> 1;
    const unsigned run = later != 0 ? __ffs(later) : 32 - lane;
    atomicAdd(&table[key], run);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += blockDim.x) {
    const unsigned total = table[b];
    if (total) atomicAdd(&histo[b], total);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + 2047) / 2048;
  const std::size_t most = 12 * std::size_t{multiprocessors()};
  return {blocks == 0     ? 1u
          : blocks < most ? static_cast<unsigned>(blocks)
                          : static_cast<unsigned>(most),
          128};
}
