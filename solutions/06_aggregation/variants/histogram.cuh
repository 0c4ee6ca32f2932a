// SPDX-License-Identifier: MIT
// The aggregating kernel with what its variants choose before they include this: bytes_under_way, which a thread loads
// before it counts the first of them; 1: byte by byte.
#pragma once

#include "lab.hpp"

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  int current = -1;
  unsigned int run = 0;
  const auto meet = [&](int bin) {
    if (bin == current) {
      ++run;
    } else {
      if (current >= 0) atomicAdd(&counts[current], run);
      current = bin;
      run = 1;
    }
  };
  std::size_t i = thread;
  if (bytes_under_way > 1) {
    for (; i + (bytes_under_way - 1) * threads < length; i += bytes_under_way * threads) {
      unsigned char bytes[bytes_under_way];
      for (std::size_t k = 0; k < bytes_under_way; ++k) bytes[k] = data[i + k * threads];
      for (const unsigned char byte : bytes) meet(Binning::bin_of(byte));
    }
  }
  for (; i < length; i += threads) meet(Binning::bin_of(data[i]));
  if (current >= 0) atomicAdd(&counts[current], run);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  constexpr std::size_t bytes_per_thread = 16;  // at least, where the input is long enough
  const std::size_t enough = (length + block * bytes_per_thread - 1) / (block * bytes_per_thread);
  constexpr std::size_t rounds = 8;
  const std::size_t most = rounds * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
