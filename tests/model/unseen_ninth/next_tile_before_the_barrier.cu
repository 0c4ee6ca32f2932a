// SPDX-License-Identifier: MIT
// A tile lies in shared memory while each thread has its bytes of the next tile in registers already: they
// are loaded before the tile is counted and stored after it, with a barrier on each side.
#include "lab.hpp"

constexpr unsigned block_size = 512, of_thread = 8, tile_bytes = block_size * of_thread;

struct fragment {
  unsigned char of[of_thread];
};

__device__ __forceinline__ fragment load(const unsigned char* data, std::size_t begin, std::size_t length) {
  fragment result;
#pragma unroll
  for (unsigned k = 0; k < of_thread; ++k) {
    const std::size_t at = begin + k * block_size + threadIdx.x;
    result.of[k] = at < length ? data[at] : 0;
  }
  return result;
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  alignas(8) __shared__ unsigned char tile[tile_bytes];
  __shared__ unsigned int counts[2][Binning::bins];
  for (unsigned k = threadIdx.x; k < 2 * Binning::bins; k += block_size) counts[0][k] = 0;
  unsigned int* const own = counts[threadIdx.x / 32 % 2];

  const std::size_t step = std::size_t{gridDim.x} * tile_bytes;
  std::size_t begin = std::size_t{blockIdx.x} * tile_bytes;
  fragment next = load(data, begin, length);
  while (begin < length) {
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) tile[k * block_size + threadIdx.x] = next.of[k];
    const std::size_t here = length - begin;
    begin += step;
    next = load(data, begin, length);
    __syncthreads();
    // Each thread takes eight neighbours from the tile.
    const uint2 eight = reinterpret_cast<const uint2*>(tile)[threadIdx.x];
    const unsigned first = threadIdx.x * of_thread;
#pragma unroll
    for (unsigned k = 0; k < of_thread; ++k) {
      if (first + k >= here) break;
      const unsigned word = k < 4 ? eight.x : eight.y;
      const int bin = Binning::bin_of(static_cast<unsigned char>(word >> k % 4 * 8));
      if (bin >= 0) atomicAdd(own + bin, 1u);
    }
    __syncthreads();
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int sum = counts[0][bin] + counts[1][bin];
    if (sum > 0) atomicAdd(&histo[bin], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most = 2 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
