// SPDX-License-Identifier: MIT
// cub::BlockReduce adds up the threads' register counts, one bin after the other; many bins take shared atomics.
#include <cub/block/block_reduce.cuh>

#include "lab.hpp"

constexpr int kThreads = 256;
constexpr int kItems = 64;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t tile = std::size_t{blockIdx.x} * (kThreads * kItems);

  if constexpr (Binning::bins <= 32) {
    using BlockReduce = cub::BlockReduce<unsigned int, kThreads>;
    __shared__ typename BlockReduce::TempStorage storage;

    unsigned int counts[Binning::bins] = {};
    for (int k = 0; k < kItems; ++k) {
      const std::size_t i = tile + k * kThreads + threadIdx.x;
      const int bin = i < length ? Binning::bin_of(data[i]) : -1;
#pragma unroll
      for (int b = 0; b < Binning::bins; ++b) counts[b] += bin == b ? 1 : 0;
    }
#pragma unroll
    for (int b = 0; b < Binning::bins; ++b) {
      const unsigned int sum = BlockReduce(storage).Sum(counts[b]);
      if (threadIdx.x == 0 && sum > 0) atomicAdd(&histo[b], sum);
      __syncthreads();  // the storage is used again
    }
  } else {
    __shared__ unsigned int counts[Binning::bins];
    for (int b = threadIdx.x; b < Binning::bins; b += kThreads) counts[b] = 0;
    __syncthreads();
    for (int k = 0; k < kItems; ++k) {
      const std::size_t i = tile + k * kThreads + threadIdx.x;
      if (i >= length) break;
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&counts[bin], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < Binning::bins; b += kThreads)
      if (counts[b] > 0) atomicAdd(&histo[b], counts[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * kItems;
  return {static_cast<unsigned>((length + tile - 1) / tile), kThreads};
}
