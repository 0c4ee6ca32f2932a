// SPDX-License-Identifier: MIT
// The bin of each byte comes from a table in shared memory, the bytes of a word from __byte_perm with
// selectors in constant memory; lanes begin at different bytes of their words.
#include "lab.hpp"

__constant__ unsigned int byte_selector[4] = {0x4440, 0x4441, 0x4442, 0x4443};
__constant__ unsigned char first_byte[8] = {0, 2, 1, 3, 3, 1, 2, 0};

constexpr int kBlock = 256;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ short lookup[256];
  __shared__ unsigned int table[Binning::bins + 1];  // the last one takes what is not counted
  for (int byte = threadIdx.x; byte < 256; byte += kBlock) {
    const int bin = Binning::bin_of(static_cast<unsigned char>(byte));
    lookup[byte] = static_cast<short>(bin < 0 ? Binning::bins : bin);
  }
  for (int b = threadIdx.x; b <= Binning::bins; b += kBlock) table[b] = 0;
  __syncthreads();

  const std::size_t thread = std::size_t{blockIdx.x} * kBlock + threadIdx.x;
  const std::size_t step = std::size_t{gridDim.x} * kBlock;
  std::size_t words = length / 4;
  if (reinterpret_cast<std::size_t>(data) % 4 != 0) words = 0;
  const unsigned start = first_byte[threadIdx.x & 7];
  for (std::size_t w = thread; w < words; w += step) {
    const unsigned int word = reinterpret_cast<const unsigned int*>(data)[w];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      const unsigned int byte = __byte_perm(word, 0, byte_selector[(start + k) & 3]);
      atomicAdd(&table[lookup[byte]], 1u);
    }
  }
  for (std::size_t i = words * 4 + thread; i < length; i += step) atomicAdd(&table[lookup[data[i]]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < Binning::bins; b += kBlock) {
    if (table[b] != 0) atomicAdd(&histo[b], table[b]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t per_block = kBlock * 4 * 6;
  const std::size_t grid = (length + per_block - 1) / per_block, cap = 7 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(grid == 0 ? 1 : grid > cap ? cap : grid), kBlock};
}
