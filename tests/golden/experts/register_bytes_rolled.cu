// SPDX-License-Identifier: MIT
// Few bins: each thread has eight one-byte counters in an unsigned long long, emptied into the shared counters by a loop
// that is not unrolled, at the latest after 255 bytes. Many bins: one shared table a warp.
#include "lab.hpp"

constexpr int kWarps = 3;
constexpr int kThreads = kWarps * 32;
constexpr std::size_t kBytesPerThread = 320;

template <int Bins>
struct ByteCounters {
  static constexpr int words = (Bins + 7) / 8;
  unsigned long long packed[words];
  int room;

  __device__ ByteCounters() : room(255) {
#pragma unroll
    for (int w = 0; w < words; ++w) packed[w] = 0;
  }
  __device__ void add(int bin) {
    const unsigned long long one = 1ull << (bin % 8 * 8);
#pragma unroll
    for (int w = 0; w < words; ++w) packed[w] += bin / 8 == w ? one : 0ull;
  }
  __device__ void empty_into(unsigned int* counts) {
#pragma unroll
    for (int w = 0; w < words; ++w) {
      constexpr int last = Bins - (words - 1) * 8;
      const int fields = w == words - 1 ? last : 8;
#pragma unroll 1
      for (int f = 0; f < fields; ++f) {
        atomicAdd(counts + w * 8 + f, static_cast<unsigned int>(packed[w] & 255));
        packed[w] >>= 8;
      }
    }
    room = 255;
  }
};

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr bool few = Binning::bins <= 32;
  constexpr int tables = few ? 1 : kWarps;
  __shared__ unsigned int counts[tables][Binning::bins];
  for (int i = threadIdx.x; i < tables * Binning::bins; i += kThreads)
    counts[i / Binning::bins][i % Binning::bins] = 0;
  __syncthreads();

  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  const std::size_t first = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if constexpr (few) {
    ByteCounters<Binning::bins> mine;
    for (std::size_t i = first; i < length; i += stride) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) mine.add(bin);
      if (--mine.room == 0) mine.empty_into(counts[0]);
    }
    mine.empty_into(counts[0]);
  } else {
    unsigned int* const mine = counts[threadIdx.x / 32];
#pragma unroll 4
    for (std::size_t i = first; i < length; i += stride) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(mine + bin, 1u);
    }
  }
  __syncthreads();

  for (int b = threadIdx.x; b < Binning::bins; b += kThreads) {
    unsigned int sum = 0;
#pragma unroll
    for (int t = 0; t < tables; ++t) sum += counts[t][b];
    if (sum) atomicAdd(histo + b, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = kThreads * kBytesPerThread;
  const std::size_t blocks = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(blocks < most ? blocks : most), kThreads};
}
