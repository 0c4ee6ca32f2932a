// SPDX-License-Identifier: MIT
// The block brings 16 KiB into shared memory, neighbours side by side; then each thread counts 64 bytes of it
// that follow one another.
#include "lab.hpp"

constexpr unsigned tile_bytes = 16384;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned char tile[tile_bytes];
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  for (std::size_t begin = std::size_t{blockIdx.x} * tile_bytes; begin < length;
       begin += std::size_t{gridDim.x} * tile_bytes) {
    const unsigned count = length - begin < tile_bytes ? static_cast<unsigned>(length - begin) : tile_bytes;
    for (unsigned k = threadIdx.x; k < count; k += blockDim.x) tile[k] = data[begin + k];
    __syncthreads();
    const unsigned own = tile_bytes / blockDim.x;
    for (unsigned k = threadIdx.x * own; k < (threadIdx.x + 1) * own && k < count; ++k) {
      const int bin = Binning::bin_of(tile[k]);
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
    __syncthreads();
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 6, 256}; }
