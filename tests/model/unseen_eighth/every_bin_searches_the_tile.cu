// SPDX-License-Identifier: MIT
// The other way round: a thread owns a bin, and searches a slice of the tile in shared memory for it, 16
// bytes a load and four comparisons an instruction (`__vcmpeq4`). Bound by integer arithmetic and broadcasts,
// whatever the input.
#include "lab.hpp"

constexpr unsigned block_size = 256, quads = 128, tile_bytes = quads * 16;

template <class Binning>
__device__ unsigned char code_of(unsigned char byte) {
  return static_cast<unsigned char>(
      Binning::bin_of(byte));  // 255 of -1, which only a binning with fewer bins has
}

__device__ __forceinline__ unsigned bits_where_equal(uint4 text, unsigned pattern) {
  return __popc(__vcmpeq4(text.x, pattern)) + __popc(__vcmpeq4(text.y, pattern)) +
         __popc(__vcmpeq4(text.z, pattern)) + __popc(__vcmpeq4(text.w, pattern));
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length,
                     unsigned int* __restrict__ histo) {
  __shared__ uint4 tile[quads];
  __shared__ unsigned int counts[Binning::bins];
  constexpr unsigned slices = block_size / Binning::bins;
  unsigned char* const codes = reinterpret_cast<unsigned char*>(tile);
  const unsigned bin = threadIdx.x % Binning::bins, slice = threadIdx.x / Binning::bins;
  const unsigned pattern = bin * 0x01010101u;
  for (unsigned k = threadIdx.x; k < Binning::bins; k += block_size) counts[k] = 0;
  __syncthreads();

  unsigned int found = 0, padding = 0;
  for (std::size_t base = std::size_t{blockIdx.x} * tile_bytes; base < length;
       base += std::size_t{gridDim.x} * tile_bytes) {
    const unsigned here = length - base < tile_bytes ? static_cast<unsigned>(length - base) : tile_bytes;
#pragma unroll
    for (unsigned k = threadIdx.x; k < tile_bytes; k += block_size) {
      codes[k] = k < here ? code_of<Binning>(data[base + k]) : static_cast<unsigned char>(0);
    }
    padding += tile_bytes - here;
    __syncthreads();
    if (slice < slices) {
      unsigned bits = 0;
#pragma unroll 4
      for (unsigned k = slice; k < quads; k += slices) bits += bits_where_equal(tile[k], pattern);
      found += bits / 8;
    }
    __syncthreads();
  }
  if (found > 0) atomicAdd(&counts[bin], found);
  __syncthreads();
  for (unsigned k = threadIdx.x; k < Binning::bins; k += block_size) {
    const unsigned int count = counts[k] - (k == 0 ? padding : 0);
    if (count > 0) atomicAdd(&histo[k], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most = std::size_t{multiprocessors()} * 8;
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
