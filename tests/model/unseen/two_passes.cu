// SPDX-License-Identifier: MIT
// A tile of bytes is brought to shared memory first, and counted from there.
#include "lab.hpp"

constexpr unsigned tile_words = 2048;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned tile[tile_words];
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  const std::size_t words = reinterpret_cast<std::uintptr_t>(data) % 4 == 0 ? length / 4 : 0;
  const unsigned* const all = reinterpret_cast<const unsigned*>(data);
  for (std::size_t begin = std::size_t{blockIdx.x} * tile_words; begin < words;
       begin += std::size_t{gridDim.x} * tile_words) {
    const unsigned here = words - begin < tile_words ? static_cast<unsigned>(words - begin) : tile_words;
    for (unsigned w = threadIdx.x; w < here; w += blockDim.x) tile[w] = all[begin + w];
    __syncthreads();
    const unsigned char* const bytes = reinterpret_cast<const unsigned char*>(tile);
    for (unsigned i = threadIdx.x; i < 4 * here; i += blockDim.x) {
      const int bin = Binning::bin_of(bytes[i]);
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
    __syncthreads();
  }
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = 4 * words + thread; i < length; i += std::size_t{gridDim.x} * blockDim.x) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
