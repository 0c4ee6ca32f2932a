// SPDX-License-Identifier: MIT
// Half of the warps bring the next tile into shared memory, while the others count the one before.
#include "lab.hpp"

constexpr unsigned half = 256, tile_words = 1024;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned tiles[2][tile_words];
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  const std::size_t whole = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / (4 * tile_words) : 0;
  const unsigned* const words = reinterpret_cast<const unsigned*>(data);
  const bool loads = threadIdx.x < half;
  unsigned side = 0;
  // One turn more than there are tiles: in the first nothing is counted, in the last nothing loaded.
  for (std::size_t tile = blockIdx.x; tile < whole + gridDim.x; tile += gridDim.x) {
    if (loads && tile < whole) {
      for (unsigned w = threadIdx.x; w < tile_words; w += half) tiles[side][w] = words[tile * tile_words + w];
    }
    if (!loads && tile >= std::size_t{blockIdx.x} + gridDim.x) {
      for (unsigned w = threadIdx.x - half; w < tile_words; w += half) {
        const unsigned word = tiles[1 - side][w];
        for (int shift = 0; shift < 32; shift += 8) {
          const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
          if (bin >= 0) atomicAdd(&table[bin], 1u);
        }
      }
    }
    side = 1 - side;
    __syncthreads();
  }
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = whole * 4 * tile_words + std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 4, 2 * half}; }
