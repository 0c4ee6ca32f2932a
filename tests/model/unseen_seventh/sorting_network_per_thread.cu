// SPDX-License-Identifier: MIT
// Each thread sorts the bins of eight bytes in registers by Batcher's network, so that equal ones are
// neighbours, and issues an atomic for each run. Small blocks of three warps, as many as the input needs;
// each takes 6 KiB and commits.
#include "lab.hpp"

constexpr unsigned block_threads = 96;
constexpr unsigned packets_per_thread = 8;

__device__ __forceinline__ void order(int& a, int& b) {
  const int low = min(a, b), high = max(a, b);
  a = low;
  b = high;
}

__device__ __forceinline__ void sort_eight(int (&k)[8]) {
  order(k[0], k[1]), order(k[2], k[3]), order(k[4], k[5]), order(k[6], k[7]);
  order(k[0], k[2]), order(k[1], k[3]), order(k[4], k[6]), order(k[5], k[7]);
  order(k[1], k[2]), order(k[5], k[6]);
  order(k[0], k[4]), order(k[1], k[5]), order(k[2], k[6]), order(k[3], k[7]);
  order(k[2], k[4]), order(k[3], k[5]);
  order(k[1], k[2]), order(k[3], k[4]), order(k[5], k[6]);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();

  const bool aligned = (reinterpret_cast<std::uintptr_t>(data) & 7) == 0;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x * packets_per_thread + threadIdx.x;
  for (unsigned p = 0; p < packets_per_thread; ++p) {
    const std::size_t begin = (first + std::size_t{p} * blockDim.x) * 8;
    if (begin >= length) break;
    int keys[8];
    if (aligned && begin + 8 <= length) {
      const uint2 packet = *reinterpret_cast<const uint2*>(data + begin);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        keys[k] = Binning::bin_of(static_cast<unsigned char>(packet.x >> (8 * k)));
        keys[4 + k] = Binning::bin_of(static_cast<unsigned char>(packet.y >> (8 * k)));
      }
    } else {
#pragma unroll
      for (int k = 0; k < 8; ++k) keys[k] = begin + k < length ? Binning::bin_of(data[begin + k]) : -1;
    }
    sort_eight(keys);
    unsigned int run = 1;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      if (k == 7 || keys[k] != keys[k + 1]) {
        if (keys[k] >= 0) atomicAdd(&counts[keys[k]], run);
        run = 1;
      } else {
        ++run;
      }
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count != 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = block_threads * packets_per_thread * 8;
  return {static_cast<unsigned>((length + of_block - 1) / of_block), block_threads};
}
