// SPDX-License-Identifier: MIT
// The contiguous kernel with what its variants choose before they include this:
//
//   bytes_per_piece  neighbouring bytes that a thread counts before it moves on
//   loaded_first     whether all bytes of a piece are loaded before the first is counted
//   pieces           how many pieces each thread gets, so that the grid grows with the input; 0: the grid is at most the solution's
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
  std::size_t begin = thread * bytes_per_piece;
  for (; begin + bytes_per_piece <= length; begin += threads * bytes_per_piece) {
    if (loaded_first) {
      unsigned char bytes[bytes_per_piece];
      for (std::size_t k = 0; k < bytes_per_piece; ++k) bytes[k] = data[begin + k];
      for (const unsigned char byte : bytes) count<Binning>(counts, byte);
    } else {
      for (std::size_t k = 0; k < bytes_per_piece; ++k) count<Binning>(counts, data[begin + k]);
    }
  }
  for (std::size_t i = begin; i < length; ++i) count<Binning>(counts, data[i]);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += blockDim.x) {
    const unsigned int of_block = counts[bin];
    if (of_block > 0) atomicAdd(&histo[bin], of_block);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  constexpr std::size_t each = bytes_per_piece * (pieces > 0 ? pieces : 1);
  const std::size_t enough = (length + block * each - 1) / (block * each);
  constexpr std::size_t rounds = 8;
  const std::size_t most = rounds * multiprocessors() * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(pieces > 0 || enough < most ? enough : most), block};
}
