// SPDX-License-Identifier: MIT
// Double buffering in registers: four words of eight bytes are counted while the next four are under way in
// the other batch, and then the batches change their roles without a copy. Five warps a block.
#include "lab.hpp"

constexpr unsigned block_size = 160, batch = 4;
constexpr unsigned tile_words = block_size * batch;
using word = unsigned long long;

template <class Binning>
struct counter {
  unsigned int* table;

  __device__ __forceinline__ void one(unsigned char byte) const {
    const int bin = Binning::bin_of(byte);
    if (bin >= 0) atomicAdd(table + bin, 1u);
  }
  __device__ __forceinline__ void all(const word (&words)[batch]) const {
#pragma unroll
    for (unsigned k = 0; k < batch; ++k) {
#pragma unroll
      for (unsigned j = 0; j < sizeof(word); ++j) one(static_cast<unsigned char>(words[k] >> 8 * j));
    }
  }
};

__device__ __forceinline__ void load(word (&words)[batch], const word* tile) {
#pragma unroll
  for (unsigned k = 0; k < batch; ++k) words[k] = tile[k * block_size + threadIdx.x];
}

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* __restrict__ data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int table[Binning::bins];
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) table[bin] = 0;
  __syncthreads();
  const counter<Binning> count{table};

  const std::size_t skew = -reinterpret_cast<std::uintptr_t>(data) % sizeof(word);
  const std::size_t head = skew < length ? skew : length;
  const std::size_t tiles = (length - head) / (tile_words * sizeof(word));
  const word* const words = reinterpret_cast<const word*>(data + head);
  std::size_t tile = blockIdx.x;
  const std::size_t step = gridDim.x;
  if (tile < tiles) {
    word even[batch], odd[batch];
    load(even, words + tile * tile_words);
    while (true) {
      const bool more = tile + step < tiles;
      if (more) load(odd, words + (tile + step) * tile_words);
      count.all(even);
      if (!more) break;
      const bool still_more = tile + 2 * step < tiles;
      if (still_more) load(even, words + (tile + 2 * step) * tile_words);
      count.all(odd);
      if (!still_more) break;
      tile += 2 * step;
    }
  }
  const std::size_t thread = std::size_t{blockIdx.x} * block_size + threadIdx.x;
  if (thread < head) count.one(data[thread]);
  for (std::size_t at = head + tiles * tile_words * sizeof(word) + thread; at < length;
       at += step * block_size) {
    count.one(data[at]);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < Binning::bins; bin += block_size) {
    if (table[bin] > 0) atomicAdd(histo + bin, table[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = length / (tile_words * sizeof(word) * 2) + 1;
  const std::size_t most =
      std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Letters>, block_size);
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
