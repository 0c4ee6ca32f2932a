// SPDX-License-Identifier: MIT
// Two loads of 16 bytes under way, one table for each block.
#include "lab.hpp"

template <class Binning>
__device__ void count_word(unsigned word, unsigned* table) {
  for (int shift = 0; shift < 32; shift += 8) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(word >> shift));
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
}

template <class Binning>
__device__ void count_quad(uint4 quad, unsigned* table) {
  count_word<Binning>(quad.x, table);
  count_word<Binning>(quad.y, table);
  count_word<Binning>(quad.z, table);
  count_word<Binning>(quad.w, table);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) table[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint4) == 0;
  const std::size_t quads = aligned ? length / sizeof(uint4) : 0;
  const uint4* const all = reinterpret_cast<const uint4*>(data);
  std::size_t q = thread;
  for (; q + threads < quads; q += 2 * threads) {
    const uint4 first = all[q], second = all[q + threads];
    count_quad<Binning>(first, table);
    count_quad<Binning>(second, table);
  }
  if (q < quads) count_quad<Binning>(all[q], table);
  for (std::size_t i = quads * sizeof(uint4) + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 8, 256}; }
