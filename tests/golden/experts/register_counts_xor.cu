// SPDX-License-Identifier: MIT
// Counters in registers for up to 8 bins, reduced by a __shfl_xor_sync butterfly; more bins go to shared memory.
#include "lab.hpp"

template <int N>
struct RegisterCounts {
  unsigned int n[N] = {};

  __device__ void add(int bin) {
#pragma unroll
    for (int b = 0; b < N; ++b) n[b] += (bin == b);
  }
  __device__ void sum_over_warp() {
#pragma unroll
    for (int b = 0; b < N; ++b)
      for (int mask = 16; mask > 0; mask >>= 1) n[b] += __shfl_xor_sync(0xffffffffu, n[b], mask);
  }
};

template <class Binning, class Count>
__device__ void for_each_byte(const unsigned char* data, std::size_t length, Count count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
#pragma unroll 8
  for (; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) count(bin);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int block_counts[Binning::bins];
  for (int b = threadIdx.x; b < Binning::bins; b += blockDim.x) block_counts[b] = 0;
  __syncthreads();

  if constexpr (Binning::bins <= 8) {
    RegisterCounts<Binning::bins> counts;
    for_each_byte<Binning>(data, length, [&](int bin) { counts.add(bin); });
    counts.sum_over_warp();
    if (threadIdx.x % 32 == 0) {
#pragma unroll
      for (int b = 0; b < Binning::bins; ++b) atomicAdd(&block_counts[b], counts.n[b]);
    }
  } else {
    for_each_byte<Binning>(data, length, [&](int bin) { atomicAdd(&block_counts[bin], 1u); });
  }

  __syncthreads();
  if (threadIdx.x >= Binning::bins) return;
  const unsigned int n = block_counts[threadIdx.x];
  if (n > 0) atomicAdd(&histo[threadIdx.x], n);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;  // not fewer than any binning has bins
  const std::size_t enough = (length + block * 16 - 1) / (block * 16);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
