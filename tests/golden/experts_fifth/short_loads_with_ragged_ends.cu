// SPDX-License-Identifier: MIT
// Two bytes a load as unsigned short; each thread walks a contiguous stretch of 32 pairs and stops at its end
// or at the end of the data. Blocks of three warps, a table per warp.
#include "lab.hpp"

constexpr unsigned warps = 3, threads = warps * 32, stretch = 32;

template <class Binning>
__device__ void count_pair(unsigned short pair, unsigned int* table) {
  const int low = Binning::bin_of(static_cast<unsigned char>(pair & 0xff));
  const int high = Binning::bin_of(static_cast<unsigned char>(pair >> 8));
  if (low == high) {
    if (low >= 0) atomicAdd(&table[low], 2u);
  } else {
    if (low >= 0) atomicAdd(&table[low], 1u);
    if (high >= 0) atomicAdd(&table[high], 1u);
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[warps * Binning::bins];
  for (unsigned k = threadIdx.x; k < warps * Binning::bins; k += threads) tables[k] = 0;
  __syncthreads();
  unsigned int* const table = &tables[threadIdx.x / 32 * Binning::bins];

  const std::size_t thread = std::size_t{blockIdx.x} * threads + threadIdx.x;
  const std::size_t head = (reinterpret_cast<std::size_t>(data) & 1) != 0 && length > 0 ? 1 : 0;
  const unsigned short* const pairs = reinterpret_cast<const unsigned short*>(data + head);
  const std::size_t pair_count = (length - head) / 2;
  std::size_t begin = thread * stretch;
  while (begin < pair_count) {
    std::size_t at = begin;
    unsigned left = stretch;
    while (left != 0 && at < pair_count) {
      count_pair<Binning>(pairs[at], table);
      ++at;
      --left;
    }
    begin += std::size_t{gridDim.x} * threads * stretch;
  }
  if (thread == 0) {
    const int first = head != 0 ? Binning::bin_of(data[0]) : -1;
    const int last = head + 2 * pair_count < length ? Binning::bin_of(data[length - 1]) : -1;
    if (first >= 0) atomicAdd(&table[first], 1u);
    if (last >= 0) atomicAdd(&table[last], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Binning::bins; b += threads) {
    const unsigned int sum = tables[b] + tables[Binning::bins + b] + tables[2 * Binning::bins + b];
    if (sum > 0) atomicAdd(histo + b, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = std::size_t{threads} * stretch * 2;
  const std::size_t blocks = length / of_block + 1, cap = 16 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(blocks < cap ? blocks : cap), threads};
}
