// SPDX-License-Identifier: MIT
// Two tiles of 4 KiB in shared memory: while the block counts one, its words of the next are under way.
#include "lab.hpp"

constexpr unsigned tile_words = 1024;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned tiles[2][tile_words];
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % 4 == 0;
  const std::size_t whole = aligned ? length / (4 * tile_words) : 0;  // tiles
  const unsigned* const words = reinterpret_cast<const unsigned*>(data);
  const unsigned t = threadIdx.x;
  unsigned side = 0;
  if (blockIdx.x < whole) tiles[0][t] = words[std::size_t{blockIdx.x} * tile_words + t];
  __syncthreads();
  for (std::size_t tile = blockIdx.x; tile < whole; tile += gridDim.x) {
    const bool more = tile + gridDim.x < whole;
    const unsigned next = more ? words[(tile + gridDim.x) * tile_words + t] : 0;
    const unsigned word = tiles[side][t];
    for (int shift = 0; shift < 32; shift += 8) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
    side = 1 - side;
    if (more) tiles[side][t] = next;
    __syncthreads();
  }
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = whole * 4 * tile_words + std::size_t{blockIdx.x} * blockDim.x + t; i < length;
       i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 2, tile_words}; }
