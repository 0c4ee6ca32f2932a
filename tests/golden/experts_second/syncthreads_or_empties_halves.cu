// SPDX-License-Identifier: MIT
// 16-bit counters, two to a word: the atomics return what a counter was, and if one has reached half of its
// range, a barrier with a vote (__syncthreads_or) makes the block empty them all.
#include "lab.hpp"

constexpr unsigned kThreads = 512;
constexpr unsigned kEach = 8;
constexpr unsigned kTile = kThreads * kEach;

template <class Binning>
__device__ void empty_into(unsigned int* halves, unsigned int* histo) {
  for (unsigned w = threadIdx.x; w < (Binning::bins + 1) / 2; w += kThreads) {
    const unsigned int both = halves[w];
    halves[w] = 0;
    if (both & 0xffffu) atomicAdd(&histo[2 * w], both & 0xffffu);
    if (both >> 16) atomicAdd(&histo[2 * w + 1], both >> 16);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int halves[(Binning::bins + 1) / 2];
  for (unsigned w = threadIdx.x; w < (Binning::bins + 1) / 2; w += kThreads) halves[w] = 0;
  __syncthreads();

  for (std::size_t tile = std::size_t{blockIdx.x} * kTile; tile < length;
       tile += std::size_t{gridDim.x} * kTile) {
    bool high = false;
#pragma unroll
    for (unsigned k = 0; k < kEach; ++k) {
      const std::size_t i = tile + k * kThreads + threadIdx.x;
      if (i < length) {
        const int bin = Binning::bin_of(data[i]);
        if (bin >= 0) {
          const unsigned shift = bin % 2 * 16;
          high |= (atomicAdd(&halves[bin / 2], 1u << shift) >> shift & 0x8000u) != 0;
        }
      }
    }
    if (__syncthreads_or(high)) {
      empty_into<Binning>(halves, histo);
      __syncthreads();
    }
  }
  __syncthreads();
  empty_into<Binning>(halves, histo);
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + kTile - 1) / kTile;
  const std::size_t room =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, kThreads);
  return {static_cast<unsigned>(tiles < room ? tiles : room), kThreads};
}
