// SPDX-License-Identifier: MIT
// Every half-warp has a table of its own in dynamic shared memory, of odd pitch. Four bytes a thread and
// round, unrolled by hand; blocks of five warps.
#include "lab.hpp"

constexpr unsigned kThreads = 160, kHalves = kThreads / 16;
constexpr unsigned kMostPitch = 257;

template <class Binning>
__device__ __forceinline__ void tally(unsigned int* __restrict__ table, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(table + bin, 1u);
}

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  constexpr unsigned pitch = Binning::bins | 1;
  static_assert(pitch <= kMostPitch);
  extern __shared__ unsigned int tables[];
  for (unsigned at = threadIdx.x; at < kHalves * pitch; at += kThreads) tables[at] = 0;
  __syncthreads();

  unsigned int* const mine = tables + (threadIdx.x >> 4) * pitch;
  const std::size_t step = std::size_t{gridDim.x} * kThreads;
  std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  for (; i + 3 * step < length; i += 4 * step) {
    const unsigned char a = __ldg(data + i);
    const unsigned char b = __ldg(data + i + step);
    const unsigned char c = __ldg(data + i + 2 * step);
    const unsigned char d = __ldg(data + i + 3 * step);
    tally<Binning>(mine, a);
    tally<Binning>(mine, b);
    tally<Binning>(mine, c);
    tally<Binning>(mine, d);
  }
  for (; i < length; i += step) tally<Binning>(mine, __ldg(data + i));
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += kThreads) {
    unsigned int total = 0;
#pragma unroll
    for (unsigned half = 0; half < kHalves; ++half) total += tables[half * pitch + bin];
    if (total) atomicAdd(histo + bin, total);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t wanted = (length + kThreads * 16 - 1) / (kThreads * 16);
  const std::size_t most = std::size_t{multiprocessors()} * 6;
  const std::size_t grid = wanted < 1 ? 1 : wanted < most ? wanted : most;
  return {static_cast<unsigned>(grid), kThreads, kHalves * kMostPitch * sizeof(unsigned int)};
}
