// SPDX-License-Identifier: MIT
// Cooperative groups: a table for every tile of 32 threads, each tile reads contiguous segments of 1 KiB.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned kTiles = 8;
constexpr std::size_t kSegment = 1024;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int tables[kTiles][Binning::bins];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  unsigned int* table = tables[tile.meta_group_rank()];

  for (unsigned b = tile.thread_rank(); b < Binning::bins; b += tile.size()) table[b] = 0;
  tile.sync();

  const std::size_t segments = (length + kSegment - 1) / kSegment;
  for (std::size_t s = blockIdx.x * kTiles + tile.meta_group_rank(); s < segments; s += gridDim.x * kTiles) {
    const std::size_t end = (s + 1) * kSegment < length ? (s + 1) * kSegment : length;
    for (std::size_t i = s * kSegment + tile.thread_rank(); i < end; i += tile.size()) {
      const int bin = Binning::bin_of(data[i]);
      if (bin >= 0) atomicAdd(&table[bin], 1u);
    }
  }
  block.sync();

  for (unsigned b = block.thread_rank(); b < Binning::bins; b += block.size()) {
    unsigned int sum = 0;
    for (unsigned t = 0; t < kTiles; ++t) sum += tables[t][b];
    if (sum) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = kTiles * 32;
  const std::size_t enough = (length + kTiles * kSegment - 1) / (kTiles * kSegment);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
