// SPDX-License-Identifier: MIT
// A column for each lane number, in a bank of its own, whose words hold two counters of 16 bits; the eight
// warps of the block share the columns. They are emptied into the result before a counter can overflow.
#include "lab.hpp"

constexpr unsigned warps = 8, lanes = 32, block_size = warps * lanes;
constexpr unsigned most_turns = 0xffff / (warps * 16);  // of 16 bytes a thread

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  constexpr unsigned rows = (Binning::bins + 1) / 2;  // row r: bins 2r and 2r + 1
  __shared__ unsigned int columns[rows][lanes];
  const unsigned warp = threadIdx.x / lanes, lane = threadIdx.x % lanes;
  for (unsigned row = warp; row < rows; row += warps) columns[row][lane] = 0;
  __syncthreads();

  const auto count = [&](unsigned char byte) {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(&columns[bin / 2][lane], 1u << bin % 2 * 16);
  };
  const auto empty = [&] {
    __syncthreads();
    for (unsigned row = warp; row < rows; row += warps) {
      const unsigned int both = columns[row][lane];
      columns[row][lane] = 0;
      const unsigned int low = __reduce_add_sync(0xffffffffu, both & 0xffff);
      const unsigned int high = __reduce_add_sync(0xffffffffu, both >> 16);
      if (lane == 0 && low > 0) atomicAdd(histo + 2 * row, low);
      if (lane == 1 && high > 0) atomicAdd(histo + 2 * row + 1, high);
    }
    __syncthreads();
  };

  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 15;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t number = (length - head) / 16;
  const uint4* const vectors = reinterpret_cast<const uint4*>(data + head);
  unsigned turns = 0;
  for (std::size_t base = std::size_t{blockIdx.x} * block_size; base < number;
       base += std::size_t{gridDim.x} * block_size) {
    if (turns == most_turns) {
      empty();
      turns = 0;
    }
    ++turns;
    if (base + threadIdx.x < number) {
      const uint4 vector = vectors[base + threadIdx.x];
      const unsigned int words[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
      for (unsigned int word : words) {
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) count(static_cast<unsigned char>(word >> 8 * k));
      }
    }
  }
  empty();

  // At most 15 bytes in front and 15 behind, straight to the result.
  if (blockIdx.x == gridDim.x - 1 && warp == 0) {
    const auto add = [&](std::size_t at) {
      const int bin = Binning::bin_of(data[at]);
      if (bin >= 0) atomicAdd(histo + bin, 1u);
    };
    if (lane < head) add(lane);
    if (head + number * 16 + lane < length) add(head + number * 16 + lane);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 64 - 1) / (block_size * 64);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
