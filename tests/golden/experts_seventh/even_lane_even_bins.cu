// SPDX-License-Identifier: MIT
// Lanes work in pairs: each sees the words of both, and the even lane counts the bytes of even bins, the odd
// lane those of odd bins. So the two never meet at a counter. Warps 0 to 3 have a table, and warps 4 to 7.
#include "lab.hpp"

constexpr unsigned block_size = 256;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[2][Binning::bins];
  for (unsigned k = threadIdx.x; k < 2 * Binning::bins; k += block_size) tables[0][k] = 0;
  __syncthreads();
  unsigned int* const table = tables[threadIdx.x / 128];
  const unsigned lane = threadIdx.x % 32;
  const int parity = lane % 2;

  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 3;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 4;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;

  // The warp stays together as long as its first lane has a word.
  for (std::size_t first = thread - lane; first < number; first += threads) {
    const std::size_t i = first + lane;
    const bool own_counts = i < number, partner_counts = (i ^ 1) < number;
    const unsigned int own = own_counts ? words[i] : 0;
    const unsigned int partner = __shfl_xor_sync(0xffffffffu, own, 1);
#pragma unroll
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const int bin = Binning::bin_of(static_cast<unsigned char>(own >> shift));
      if (own_counts && bin >= 0 && (bin & 1) == parity) atomicAdd(table + bin, 1u);
      const int other = Binning::bin_of(static_cast<unsigned char>(partner >> shift));
      if (partner_counts && other >= 0 && (other & 1) == parity) atomicAdd(table + other, 1u);
    }
  }
  const auto count = [&](std::size_t at) {
    const int bin = Binning::bin_of(data[at]);
    if (bin >= 0) atomicAdd(table + bin, 1u);
  };
  if (thread < head) count(thread);
  if (head + 4 * number + thread < length) count(head + 4 * number + thread);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    const unsigned int sum = tables[0][bin] + tables[1][bin];
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 16 - 1) / (block_size * 16);
  const std::size_t most = 8 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
