// SPDX-License-Identifier: MIT
// Eight bytes per load, four loads under way, one large block per multiprocessor and a half.
#include "lab.hpp"

constexpr unsigned under_way = 4;

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
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint2) == 0;
  const std::size_t pairs = aligned ? length / sizeof(uint2) : 0;
  const uint2* const all = reinterpret_cast<const uint2*>(data);
  std::size_t done = 0;
  for (; done + under_way * threads <= pairs; done += under_way * threads) {
    uint2 loaded[under_way];
    for (unsigned k = 0; k < under_way; ++k) loaded[k] = all[done + k * threads + thread];
    for (unsigned k = 0; k < under_way; ++k) {
      count_word<Binning>(loaded[k].x, table);
      count_word<Binning>(loaded[k].y, table);
    }
  }
  for (std::size_t i = done * sizeof(uint2) + thread; i < length; i += threads) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&table[bin], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x)
    if (table[bin] > 0) atomicAdd(&histo[bin], table[bin]);
}

LaunchShape launch_shape(std::size_t) { return {multiprocessors() * 3 / 2, 1024}; }
