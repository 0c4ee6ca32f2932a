// SPDX-License-Identifier: MIT
// Each of 64 threads owns a column of unsigned short counters; the two warps have the two halves of each word. A tree
// adds up the columns, both halves at once.
#include "lab.hpp"

constexpr unsigned kThreads = 64;
constexpr unsigned kPerThread = 128;  // bytes; kThreads * kPerThread must fit a half
constexpr unsigned kTile = kThreads * kPerThread;
static_assert(kTile < 65536);

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned bins = Binning::bins, pitch = 32;
  __shared__ unsigned int words[bins * pitch];
  const unsigned t = threadIdx.x;
  for (unsigned i = t; i < bins * pitch; i += kThreads) words[i] = 0;
  __syncthreads();

  unsigned short* const mine = reinterpret_cast<unsigned short*>(words) + (t % 32 * 2 + t / 32);
  const std::size_t begin = std::size_t{blockIdx.x} * kTile;
  const unsigned n = static_cast<unsigned>(length - begin < kTile ? length - begin : kTile);
  const unsigned char* const tile = data + begin;

  unsigned k = t;
  for (; k + 3 * kThreads < n; k += 4 * kThreads) {
    unsigned char batch[4];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) batch[j] = tile[k + j * kThreads];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      const int bin = Binning::bin_of(batch[j]);
      if (bin >= 0) ++mine[bin * 2 * pitch];
    }
  }
#pragma unroll 1
  for (; k < n; k += kThreads) {
    const int bin = Binning::bin_of(tile[k]);
    if (bin >= 0) ++mine[bin * 2 * pitch];
  }

  for (unsigned width = pitch / 2; width > 0; width /= 2) {
    __syncthreads();
    for (unsigned i = t; i < bins * width; i += kThreads) {
      unsigned int* row = words + i / width * pitch + i % width;
      row[0] += row[width];
    }
  }
  __syncthreads();
  for (unsigned b = t; b < bins; b += kThreads) {
    const unsigned int both = words[b * pitch];
    if (both) atomicAdd(&histo[b], (both & 0xffff) + (both >> 16));
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + kTile - 1) / kTile), kThreads}; }
