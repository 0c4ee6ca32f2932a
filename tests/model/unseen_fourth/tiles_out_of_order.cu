// SPDX-License-Identifier: MIT
// Blocks take tiles of 2 KiB, not one after another: the next one lies far away in the input.
#include "lab.hpp"

constexpr unsigned tile_words = 512;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t whole = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / (4 * tile_words) : 0;
  const unsigned* const words = reinterpret_cast<const unsigned*>(data);
  // A power of two, so that an odd factor changes the order and loses none.
  std::size_t places = 1;
  while (places < whole) places *= 2;
  for (std::size_t place = blockIdx.x; place < places; place += gridDim.x) {
    const std::size_t tile = place * 10007 % places;
    if (tile >= whole) continue;
    for (unsigned w = threadIdx.x; w < tile_words; w += blockDim.x) {
      const unsigned word = words[tile * tile_words + w];
      for (int shift = 0; shift < 32; shift += 8) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
        if (bin >= 0) atomicAdd(&table[bin], 1u);
      }
    }
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

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 128}; }
