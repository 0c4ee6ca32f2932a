// SPDX-License-Identifier: MIT
// Even and odd lanes have a counter each of every bin, side by side; in the end two lanes a bin read them and meet by
// __shfl_xor_sync. Two warps share a table; input by uint2.
#include "lab.hpp"

constexpr unsigned kThreads = 256;
constexpr unsigned kTables = kThreads / 64;

template <class Binning>
struct Lane {
  unsigned int* counters;  // of this lane's parity, every second word

  __device__ void count(unsigned int word) const {
    for (int k = 0; k < 4; ++k) byte(word >> (8 * k) & 0xffu);
  }
  __device__ void byte(unsigned char c) const {
    const int bin = Binning::bin_of(c);
    if (bin >= 0) atomicAdd(counters + 2 * bin, 1u);
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned words = 2 * Binning::bins;
  __shared__ unsigned int tables[kTables][words];
  for (unsigned i = threadIdx.x; i < kTables * words; i += kThreads) tables[i / words][i % words] = 0;
  __syncthreads();

  const Lane<Binning> lane{tables[threadIdx.x / 64] + threadIdx.x % 2};
  const std::size_t me = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t all = std::size_t{gridDim.x} * kThreads;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint2) == 0;
  const std::size_t pairs = aligned ? length / sizeof(uint2) : 0;
  for (std::size_t i = me; i < pairs; i += all) {
    const uint2 two = reinterpret_cast<const uint2*>(data)[i];
    lane.count(two.x);
    lane.count(two.y);
  }
  for (std::size_t i = pairs * sizeof(uint2) + me; i < length; i += all) lane.byte(data[i]);
  __syncthreads();

  for (unsigned first = 0; first < words; first += kThreads) {  // the same for all lanes
    const unsigned w = first + threadIdx.x;
    unsigned int sum = 0;
    if (w < words) {
#pragma unroll
      for (unsigned t = 0; t < kTables; ++t) sum += tables[t][w];
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    if (threadIdx.x % 2 == 0 && sum != 0) atomicAdd(&histo[w / 2], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tile = kThreads * sizeof(uint2) * 2;
  const std::size_t blocks = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(blocks < most ? blocks : most), kThreads};
}
