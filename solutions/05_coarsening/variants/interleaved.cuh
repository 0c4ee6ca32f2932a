// SPDX-License-Identifier: MIT
// The interleaved kernel with what its variants choose before they include this:
//
//   bytes_under_way   that a thread loads before it counts the first of them; 1: byte by byte
//   bytes_per_thread  at least, where the input is long enough
//   any_grid          whether the grid grows with the input; else it is at most the solution's
#pragma once

#include "lab.hpp"

template <class Binning>
__device__ void count(unsigned int* counts, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) atomicAdd(&counts[bin], 1u);
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = thread;
  if (bytes_under_way > 1) {
    for (; i + (bytes_under_way - 1) * threads < length; i += bytes_under_way * threads) {
      unsigned char bytes[bytes_under_way];
      for (std::size_t k = 0; k < bytes_under_way; ++k) bytes[k] = data[i + k * threads];
      for (const unsigned char byte : bytes) count<Binning>(counts, byte);
    }
  }
  for (; i < length; i += threads) count<Binning>(counts, data[i]);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int of_block = counts[bin];
    if (of_block > 0) atomicAdd(&histo[bin], of_block);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * bytes_per_thread - 1) / (block * bytes_per_thread);
  constexpr std::size_t rounds = 8;
  const std::size_t most = rounds * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(any_grid || enough < most ? enough : most), block};
}
