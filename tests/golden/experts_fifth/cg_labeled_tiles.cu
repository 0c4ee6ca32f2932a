// SPDX-License-Identifier: MIT
// Cooperative groups: the threads that hold a counted byte split by bin into labeled groups, and the first
// thread of each adds the size of its group. One table for each two warps.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr int blockThreads = 192;
constexpr int tableCount = blockThreads / 64;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  __shared__ unsigned int tables[tableCount][Binning::bins];

  for (unsigned int i = block.thread_rank(); i < tableCount * Binning::bins; i += block.num_threads())
    tables[i / Binning::bins][i % Binning::bins] = 0;
  block.sync();

  unsigned int* table = tables[warp.meta_group_rank() / 2];
  const std::size_t stride = std::size_t(gridDim.x) * block.num_threads();
  for (std::size_t i = std::size_t(block.group_index().x) * block.num_threads() + block.thread_rank();
       i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) {
      const cg::coalesced_group counted = cg::coalesced_threads();
      const auto same = cg::labeled_partition(counted, bin);
      if (same.thread_rank() == 0) atomicAdd(&table[bin], static_cast<unsigned int>(same.size()));
    }
  }
  block.sync();

  for (unsigned int b = block.thread_rank(); b < Binning::bins; b += block.num_threads()) {
    unsigned int sum = 0;
    for (int t = 0; t != tableCount; ++t) sum += tables[t][b];
    if (sum != 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t tiles = (length + blockThreads * 10 - 1) / (blockThreads * 10);
  const std::size_t upper = 10u * multiprocessors();
  if (tiles < 1) return {1, blockThreads};
  return {static_cast<unsigned>(tiles < upper ? tiles : upper), blockThreads};
}
