// SPDX-License-Identifier: MIT
// As if the input were pixels of three bytes: each pass of the inner loop reads one colour, every third byte,
// so a line is used three times and partly each time. Tiles are as long as the block has bytes for a turn.
#include "lab.hpp"

constexpr unsigned block_size = 96, colours = 3, pixels_of_thread = 10;
constexpr std::size_t tile_bytes = std::size_t{block_size} * colours * pixels_of_thread;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* const data, const std::size_t length,
                                 unsigned int* const histo) {
  __shared__ unsigned int counts[colours][Binning::bins];
  for (unsigned colour = 0; colour < colours; ++colour) {
    for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) counts[colour][bin] = 0;
  }
  __syncthreads();
  for (std::size_t tile = blockIdx.x * tile_bytes; tile < length; tile += gridDim.x * tile_bytes) {
    const std::size_t stop = tile + tile_bytes < length ? tile + tile_bytes : length;
    for (unsigned colour = 0; colour < colours; ++colour) {
#pragma unroll 5
      for (std::size_t at = tile + threadIdx.x * colours + colour; at < stop; at += block_size * colours) {
        const int bin = Binning::bin_of(data[at]);
        if (bin >= 0) atomicAdd(&counts[colour][bin], 1u);
      }
    }
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int grey = counts[0][bin] + counts[1][bin] + counts[2][bin];
    if (grey > 0) atomicAdd(&histo[bin], grey);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + tile_bytes - 1) / tile_bytes;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(tiles < most ? tiles : most), block_size};
}
