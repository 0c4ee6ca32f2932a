// SPDX-License-Identifier: MIT
// A warp brings 4 KiB into shared memory as 32 rows of 32 words and one of padding; then each lane walks
// along its row and adds once for every run of a bin. Warps work on their own: no barrier of the block.
#include "lab.hpp"

constexpr unsigned warps = 4, block_size = warps * 32, rows = 32, pitch = 33;
constexpr std::size_t tile_bytes = rows * 32 * sizeof(unsigned int);

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tiles[warps][rows * pitch];
  __shared__ unsigned int counts[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) counts[bin] = 0;
  __syncthreads();

  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned int* const tile = tiles[warp];
  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) & 3;
  const std::size_t head = skew < length ? skew : length;
  const std::size_t whole = (length - head) / tile_bytes;
  const std::size_t step = std::size_t{gridDim.x} * warps;
  for (std::size_t k = std::size_t{blockIdx.x} * warps + warp; k < whole; k += step) {
    const unsigned int* const from = reinterpret_cast<const unsigned int*>(data + head + k * tile_bytes);
#pragma unroll 8
    for (unsigned row = 0; row < rows; ++row) tile[row * pitch + lane] = __ldg(from + row * 32 + lane);
    __syncwarp();
    int current = -1;
    unsigned int run = 0;
    for (unsigned column = 0; column < 32; ++column) {
      const unsigned int word = tile[lane * pitch + column];
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        const int bin = Binning::bin_of(static_cast<unsigned char>(word >> 8 * j));
        if (bin == current) {
          ++run;
        } else {
          if (current >= 0) atomicAdd(counts + current, run);
          current = bin;
          run = 1;
        }
      }
    }
    if (current >= 0) atomicAdd(counts + current, run);
    __syncwarp();
  }
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const auto count_one = [&](std::size_t at) {
    const int bin = Binning::bin_of(data[at]);
    if (bin >= 0) atomicAdd(counts + bin, 1u);
  };
  if (thread < head) count_one(thread);
  for (std::size_t at = head + whole * tile_bytes + thread; at < length; at += threads) count_one(at);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (counts[bin] > 0) atomicAdd(histo + bin, counts[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + tile_bytes * warps - 1) / (tile_bytes * warps);
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
