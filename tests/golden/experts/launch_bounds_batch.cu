// SPDX-License-Identifier: MIT
// __launch_bounds__(256, 8), int indices within a block's tile, eight bytes loaded in an unrolled batch, then counted.
#include "lab.hpp"

constexpr int BLOCK = 256;
constexpr int BATCH = 8;
constexpr int ITERATIONS = 4;
constexpr int TILE = BLOCK * BATCH * ITERATIONS;

template <class Binning>
__global__ __launch_bounds__(BLOCK, 8) void histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                                                             unsigned int* __restrict__ histo) {
  const std::size_t origin = std::size_t{blockIdx.x} * TILE;
  if (origin >= length) return;  // the whole block, before any barrier
  const int n = static_cast<int>(length - origin < TILE ? length - origin : TILE);
  const unsigned char* tile = data + origin;

  __shared__ unsigned int counts[Binning::bins];
#pragma unroll
  for (int b = 0; b < Binning::bins; b += BLOCK)
    if (b + static_cast<int>(threadIdx.x) < Binning::bins) counts[b + threadIdx.x] = 0;
  __syncthreads();

#pragma unroll 1
  for (int it = 0; it < ITERATIONS; ++it) {
    const int first = it * BLOCK * BATCH + threadIdx.x;
    int bin[BATCH];
#pragma unroll 8
    for (int k = 0; k < BATCH; ++k) {
      const int i = first + k * BLOCK;
      bin[k] = i < n ? Binning::bin_of(tile[i]) : -1;
    }
#pragma unroll 8
    for (int k = 0; k < BATCH; ++k)
      if (bin[k] >= 0) atomicAdd(&counts[bin[k]], 1u);
  }
  __syncthreads();

#pragma unroll
  for (int b = 0; b < Binning::bins; b += BLOCK) {
    const int own = b + threadIdx.x;
    if (own < Binning::bins && counts[own] > 0) atomicAdd(&histo[own], counts[own]);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + TILE - 1) / TILE), BLOCK}; }
