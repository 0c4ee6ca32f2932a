// SPDX-License-Identifier: MIT
// A byte's bin by a page table, as for Unicode: the upper four bits choose a page, pages without a counted
// byte are all the same one, and the lower bits choose the entry. So two dependent loads of shared memory
// come before each atomic; what is not counted has a counter of its own, and there is no branch.
#include "lab.hpp"

constexpr unsigned block_size = 192, tables = 3;

template <class Binning>
__global__ void __launch_bounds__(block_size, 8)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned short page_of[16], entries[17][16];
  __shared__ unsigned int counts[tables][Binning::bins + 1];
  for (unsigned k = threadIdx.x; k < tables * (Binning::bins + 1); k += block_size) counts[0][k] = 0;
  for (unsigned k = threadIdx.x; k < 17 * 16; k += block_size) {
    const int bin = k < 16 ? -1 : Binning::bin_of(static_cast<unsigned char>(k - 16));
    entries[0][k] = static_cast<unsigned short>(bin < 0 ? Binning::bins : bin);
  }
  __syncthreads();
  if (threadIdx.x < 16) {
    bool counted = false;
    for (unsigned k = 0; k < 16; ++k) counted |= entries[threadIdx.x + 1][k] != Binning::bins;
    page_of[threadIdx.x] = static_cast<unsigned short>(counted ? (threadIdx.x + 1) * 16 : 0);
  }
  __syncthreads();

  unsigned int* const mine = counts[threadIdx.x / 32 % tables];
  const unsigned short* const pages = &entries[0][0];
  const auto count = [&](unsigned int byte) {
    atomicAdd(mine + pages[page_of[byte >> 4] + (byte & 15)], 1u);
  };
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 7;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 8;
  const uint2* const vectors = reinterpret_cast<const uint2*>(data + head);
  for (std::size_t i = thread; i < number; i += threads) {
    const uint2 eight = __ldg(vectors + i);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) count(eight.x >> 8 * k & 255);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) count(eight.y >> 8 * k & 255);
  }
  if (thread < head) count(data[thread]);
  if (head + number * 8 + thread < length) count(data[head + number * 8 + thread]);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int sum = counts[0][bin] + counts[1][bin] + counts[2][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 32 - 1) / (block_size * 32);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
