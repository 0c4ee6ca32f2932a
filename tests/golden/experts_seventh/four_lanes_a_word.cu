// SPDX-License-Identifier: MIT
// Four neighbouring lanes load the same word, and each takes its own byte of it: a warp needs one sector a
// load. Blocks of three warps with a table each.
#include "lab.hpp"

constexpr unsigned block_size = 96;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[block_size / 32][Binning::bins];
  for (unsigned k = threadIdx.x; k < block_size / 32 * Binning::bins; k += block_size) tables[0][k] = 0;
  __syncthreads();
  unsigned int* const table = tables[threadIdx.x / 32];
  const auto count = [&](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(table + bin, 1u);
  };

  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 3;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t behind = (length - head) & ~std::size_t{3};  // of the last word's bytes
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const unsigned shift = threadIdx.x % 4 * 8;
#pragma unroll 8
  for (std::size_t i = thread; i < behind; i += threads) {
    count(static_cast<unsigned char>(__ldg(words + i / 4) >> shift));
  }
  if (thread < head) count(data[thread]);
  if (head + behind + thread < length) count(data[head + behind + thread]);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int sum = tables[0][bin] + tables[1][bin] + tables[2][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 24 - 1) / (block_size * 24);
  const std::size_t most = 16 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
