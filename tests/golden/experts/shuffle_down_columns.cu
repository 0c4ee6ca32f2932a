// SPDX-License-Identifier: MIT
// __shfl_down_sync adds up what lanes counted. Few bins: registers of 32 lanes, whose sums lane 0 stores for its warp.
// Many bins: eight columns of shared counters, the sums of eight lanes (width 8) go straight to the result.
#include "lab.hpp"

namespace {
constexpr unsigned kFull = 0xffffffffu;
constexpr int kThreads = 256;
constexpr int kVectorBytes = 16;
}  // namespace

template <int Width>
__device__ unsigned int sum_to_first(unsigned int n) {
#pragma unroll
  for (int offset = Width / 2; offset > 0; offset /= 2) n += __shfl_down_sync(kFull, n, offset, Width);
  return n;
}

template <class Binning, class Count>
__device__ void four_bytes(unsigned int word, Count& count) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
    if (bin >= 0) count(bin);
  }
}

template <class Binning, class Count>
__device__ void walk(const unsigned char* data, std::size_t length, Count count) {
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  const std::size_t first = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const bool aligned = (reinterpret_cast<std::uintptr_t>(data) & (kVectorBytes - 1)) == 0;
  const std::size_t vectors = aligned ? length / kVectorBytes : 0;
  const uint4* body = reinterpret_cast<const uint4*>(data);
  for (std::size_t i = first; i < vectors; i += stride) {
    const uint4 v = __ldg(body + i);
    four_bytes<Binning>(v.x, count);
    four_bytes<Binning>(v.y, count);
    four_bytes<Binning>(v.z, count);
    four_bytes<Binning>(v.w, count);
  }
  for (std::size_t i = vectors * kVectorBytes + first; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) count(bin);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr int bins = Binning::bins;
  if constexpr (bins <= 32) {
    __shared__ unsigned int partial[kThreads / 32][bins];
    unsigned int n[bins] = {};
    walk<Binning>(data, length, [&](int bin) {
#pragma unroll
      for (int b = 0; b < bins; ++b) n[b] += bin == b;
    });
#pragma unroll
    for (int b = 0; b < bins; ++b) {
      const unsigned int sum = sum_to_first<32>(n[b]);
      if ((threadIdx.x & 31) == 0) partial[threadIdx.x >> 5][b] = sum;
    }
    __syncthreads();
    if (threadIdx.x < bins) {
      unsigned int sum = 0;
      for (int w = 0; w < kThreads / 32; ++w) sum += partial[w][threadIdx.x];
      if (sum > 0) atomicAdd(&histo[threadIdx.x], sum);
    }
  } else {
    constexpr int columns = 8, pitch = columns + 1;
    __shared__ unsigned int counts[bins * pitch];
    for (int i = threadIdx.x; i < bins * pitch; i += kThreads) counts[i] = 0;
    __syncthreads();
    const int column = threadIdx.x % columns;
    walk<Binning>(data, length, [&](int bin) { atomicAdd(&counts[bin * pitch + column], 1u); });
    __syncthreads();
    constexpr int step = kThreads / columns;
    static_assert(bins % step == 0);  // all lanes take part in every shuffle
    for (int b = threadIdx.x / columns; b < bins; b += step) {
      const unsigned int sum = sum_to_first<columns>(counts[b * pitch + column]);
      if (column == 0 && sum > 0) atomicAdd(&histo[b], sum);
    }
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t tile = std::size_t{kThreads} * 32;
  const std::size_t blocks = (length + tile - 1) / tile;
  const std::size_t most = std::size_t{multiprocessors()} * 4;
  return {static_cast<unsigned>(blocks < most ? blocks : most), kThreads};
}
