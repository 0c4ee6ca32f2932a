// SPDX-License-Identifier: MIT
// The first quarter of the block's warps only loads: it fills one of three tiles in shared memory, while the
// other warps count the tile before. One barrier a step hands a tile over. Loads are words where the input is
// aligned, else bytes.
#include "lab.hpp"

constexpr unsigned block_size = 256, producers = 64, consumers = block_size - producers;
constexpr unsigned tile_words = 768, tile_bytes = tile_words * 4, slots = 3;

struct alignas(16) tile {
  unsigned int words[tile_words];
  unsigned int bytes;
};

__device__ void produce(tile& into, const unsigned char* from, std::size_t available) {
  const unsigned bytes = available < tile_bytes ? static_cast<unsigned>(available) : tile_bytes;
  if (bytes == tile_bytes && reinterpret_cast<std::uintptr_t>(from) % 4 == 0) {
    const unsigned int* const source = reinterpret_cast<const unsigned int*>(from);
#pragma unroll
    for (unsigned k = 0; k < tile_words / producers; ++k) {
      into.words[k * producers + threadIdx.x] = __ldcs(source + k * producers + threadIdx.x);
    }
  } else {
    unsigned char* const target = reinterpret_cast<unsigned char*>(into.words);
    for (unsigned k = threadIdx.x; k < bytes; k += producers) target[k] = from[k];
  }
  if (threadIdx.x == 0) into.bytes = bytes;
}

template <class Binning>
__device__ void consume(const tile& of, unsigned int* counts) {
  const unsigned consumer = threadIdx.x - producers;
  const unsigned char* const bytes = reinterpret_cast<const unsigned char*>(of.words);
  for (unsigned k = consumer; k < of.bytes; k += consumers) {
    const int bin = Binning::bin_of(bytes[k]);
    if (bin >= 0) atomicAdd(&counts[bin], 1u);
  }
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ tile ring[slots];
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) counts[bin] = 0;
  const std::size_t stride = std::size_t{gridDim.x} * tile_bytes;
  const bool loads = threadIdx.x < producers;
  std::size_t begin = std::size_t{blockIdx.x} * tile_bytes;
  unsigned slot = 0;
  if (loads && begin < length) produce(ring[0], data + begin, length - begin);
  while (begin < length) {
    __syncthreads();
    const std::size_t next = begin + stride;
    const unsigned next_slot = slot + 1 == slots ? 0 : slot + 1;
    if (!loads) {
      consume<Binning>(ring[slot], counts);
    } else if (next < length) {
      produce(ring[next_slot], data + next, length - next);
    }
    begin = next;
    slot = next_slot;
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (const unsigned int count = counts[bin]; count != 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
