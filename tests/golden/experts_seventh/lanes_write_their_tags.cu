// SPDX-License-Identifier: MIT
// As one counted before there were atomic additions in shared memory: a lane writes the next count with its
// number in the upper five bits, and looks whether it was the one whose write has stayed; if not, again.
#include "lab.hpp"

constexpr unsigned warps = 4, block_size = warps * 32;
constexpr unsigned tag_shift = 27, count_mask = (1u << tag_shift) - 1;
constexpr unsigned whole_warp = 0xffffffffu;

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[warps][Binning::bins];
  for (unsigned k = threadIdx.x; k < warps * Binning::bins; k += block_size) tables[0][k] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  unsigned int* const table = tables[threadIdx.x / 32];

  // The whole warp comes here, with a negative bin where there is nothing to count.
  const auto count = [&](int bin) {
    bool waits = bin >= 0;
    while (__any_sync(whole_warp, waits)) {
      unsigned int next = 0;
      if (waits) next = ((table[bin] & count_mask) + 1) | lane << tag_shift;
      __syncwarp();
      if (waits) atomicExch(table + bin, next);
      __syncwarp();
      if (waits && table[bin] == next) waits = false;
    }
  };

  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 3;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 4;
  const unsigned int* const words = reinterpret_cast<const unsigned int*>(data + head);
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  for (std::size_t first = thread - lane; first < number; first += threads) {
    const bool mine = first + lane < number;
    const unsigned int word = mine ? words[first + lane] : 0;
#pragma unroll
    for (unsigned shift = 0; shift < 32; shift += 8) {
      count(mine ? Binning::bin_of(static_cast<unsigned char>(word >> shift)) : -1);
    }
  }
  count(thread < head ? Binning::bin_of(data[thread]) : -1);
  const std::size_t tail = head + number * 4 + thread;
  count(tail < length ? Binning::bin_of(data[tail]) : -1);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    unsigned int sum = 0;
#pragma unroll
    for (unsigned k = 0; k < warps; ++k) sum += tables[k][bin] & count_mask;
    if (sum > 0) atomicAdd(histo + bin, sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 32 - 1) / (block_size * 32);
  std::size_t most = 12 * std::size_t{multiprocessors()};
  // No warp may count more than 27 bits hold.
  const std::size_t least = (length >> (tag_shift + 1)) + 1;
  if (most < least) most = least;
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
