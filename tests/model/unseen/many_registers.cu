// SPDX-License-Identifier: MIT
// Sixteen loads of 16 bytes under way: 64 registers for them alone.
#include "lab.hpp"

constexpr unsigned under_way = 16;

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
  const std::size_t quads =
      reinterpret_cast<std::uintptr_t>(data) % sizeof(uint4) == 0 ? length / sizeof(uint4) : 0;
  const uint4* const all = reinterpret_cast<const uint4*>(data);
  std::size_t counted = 0;
  for (std::size_t q = thread; counted + under_way * threads <= quads; counted += under_way * threads) {
    uint4 loaded[under_way];
#pragma unroll
    for (unsigned k = 0; k < under_way; ++k) loaded[k] = all[q + counted + k * threads];
#pragma unroll
    for (unsigned k = 0; k < under_way; ++k) {
      count_word<Binning>(loaded[k].x, table);
      count_word<Binning>(loaded[k].y, table);
      count_word<Binning>(loaded[k].z, table);
      count_word<Binning>(loaded[k].w, table);
    }
  }
  for (std::size_t i = counted * sizeof(uint4) + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 4, 256}; }
