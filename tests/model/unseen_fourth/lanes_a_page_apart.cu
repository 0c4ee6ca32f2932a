// SPDX-License-Identifier: MIT
// Each lane goes through 4 KiB of its own, 16 bytes at a time, so the lanes of a warp are that far apart.
#include "lab.hpp"

constexpr std::size_t page = 4096;

template <class Binning>
__device__ void count_word(unsigned word, unsigned* table) {
  for (int shift = 0; shift < 32; shift += 8) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint4) == 0;
  const std::size_t pages = aligned ? length / page : 0;
  for (std::size_t p = thread; p < pages; p += threads) {
    const uint4* const quads = reinterpret_cast<const uint4*>(data + p * page);
    for (unsigned q = 0; q < page / sizeof(uint4); ++q) {
      const uint4 quad = quads[q];
      count_word<Binning>(quad.x, table);
      count_word<Binning>(quad.y, table);
      count_word<Binning>(quad.z, table);
      count_word<Binning>(quad.w, table);
    }
  }
  for (std::size_t i = pages * page + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 128}; }
