// SPDX-License-Identifier: MIT
// A row of 32 words for each bin, lane l's word has a one-byte counter for each of the four warps: plain
// increments, all lanes in other banks. After 240 bytes a thread the rows are added up by __dp4a, into
// registers, and cleared.
#include "lab.hpp"

constexpr unsigned kThreads = 128;
constexpr unsigned kRounds = 15;  // of 16 bytes: 240 at most in a one-byte counter

template <class Binning>
__global__ void __launch_bounds__(kThreads)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  constexpr unsigned bins = Binning::bins, own = (bins + kThreads - 1) / kThreads;
  __shared__ unsigned int rows[bins][32];
  for (unsigned i = threadIdx.x; i < bins * 32; i += kThreads) rows[i / 32][i % 32] = 0;
  __syncthreads();

  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned char* const mine = reinterpret_cast<unsigned char*>(&rows[0][lane]) + warp;
  const auto count = [mine](unsigned int byte) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte & 0xff));
    if (bin >= 0) ++mine[bin * 128];
  };

  unsigned int total[own] = {};
  const auto collect = [&] {
    __syncthreads();
#pragma unroll
    for (unsigned j = 0; j < own; ++j) {
      const unsigned bin = j * kThreads + threadIdx.x;
      if (bin >= bins) break;
#pragma unroll 8
      for (unsigned k = 0; k < 32; ++k) {
        unsigned int& four = rows[bin][(k + lane) % 32];
        total[j] = __dp4a(four, 0x01010101u, total[j]);
        four = 0;
      }
    }
    __syncthreads();
  };

  const uint4* const in = reinterpret_cast<const uint4*>(data);
  const std::size_t vectors = length / 16, step = std::size_t{gridDim.x} * kThreads;
  unsigned rounds = 0;  // the same in all threads
  for (std::size_t base = std::size_t{blockIdx.x} * kThreads; base < vectors; base += step) {
    if (base + threadIdx.x < vectors) {
      const uint4 v = in[base + threadIdx.x];
#pragma unroll
      for (int k = 0; k < 32; k += 8) {
        count(v.x >> k);
        count(v.y >> k);
        count(v.z >> k);
        count(v.w >> k);
      }
    }
    if (++rounds == kRounds) {
      collect();
      rounds = 0;
    }
  }
  const std::size_t rest = vectors * 16 + std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (rest < length) count(data[rest]);
  collect();

#pragma unroll
  for (unsigned j = 0; j < own; ++j)
    if (j * kThreads + threadIdx.x < bins && total[j] > 0)
      atomicAdd(&histo[j * kThreads + threadIdx.x], total[j]);
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * 16 * kRounds;
  const std::size_t need = (length + tile - 1) / tile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(need < room ? need : room), kThreads};
}
