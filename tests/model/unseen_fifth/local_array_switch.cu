// SPDX-License-Identifier: MIT
// Up to seven bins: an array of counters of the thread's own, which a switch with constant indices keeps in
// registers. More bins: a shared table for each pair of warps.
#include "lab.hpp"

constexpr int kThreads = 128;

struct Seven {
  unsigned int n[7] = {0, 0, 0, 0, 0, 0, 0};

  __device__ __forceinline__ void count(int bin) {
    switch (bin) {
      case 0:
        ++n[0];
        break;
      case 1:
        ++n[1];
        break;
      case 2:
        ++n[2];
        break;
      case 3:
        ++n[3];
        break;
      case 4:
        ++n[4];
        break;
      case 5:
        ++n[5];
        break;
      case 6:
        ++n[6];
        break;
      default:
        break;
    }
  }
};

struct Table {
  unsigned int* counts;
  __device__ __forceinline__ void count(int bin) {
    if (bin >= 0) atomicAdd(counts + bin, 1u);
  }
};

template <class Binning, class Counter>
__device__ __forceinline__ void count_all(Counter& counter, const unsigned char* data, std::size_t length) {
  const std::size_t first = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t step = std::size_t{gridDim.x} * kThreads;
  const uint2* const pairs = reinterpret_cast<const uint2*>(data);
  for (std::size_t i = first; i < length / 8; i += step) {
    const uint2 p = __ldg(pairs + i);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      counter.count(Binning::bin_of(static_cast<unsigned char>((k < 4 ? p.x : p.y) >> (k % 4 * 8))));
  }
  const std::size_t rest = length / 8 * 8 + first;
  if (rest < length) counter.count(Binning::bin_of(data[rest]));
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int bins = Binning::bins;
  constexpr bool few = bins <= 7;
  constexpr int tables = few ? 1 : 2;
  __shared__ unsigned int counts[tables * bins];
  for (int b = threadIdx.x; b < tables * bins; b += kThreads) counts[b] = 0;
  __syncthreads();

  if constexpr (few) {
    Seven mine;
    count_all<Binning>(mine, data, length);
#pragma unroll
    for (int b = 0; b < bins; ++b) {
      const unsigned int warp_sum = __reduce_add_sync(0xffffffffu, mine.n[b]);
      if (threadIdx.x % 32 == b && warp_sum > 0) atomicAdd(&counts[b], warp_sum);
    }
  } else {
    Table mine{counts + threadIdx.x / 64 * bins};
    count_all<Binning>(mine, data, length);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += kThreads) {
    const unsigned int sum = few ? counts[b] : counts[b] + counts[(tables - 1) * bins + b];
    if (sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 64;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 12;
  return {static_cast<unsigned>(need < most ? need : most), kThreads};
}
