// SPDX-License-Identifier: MIT
// Sixteen lanes are a group, and each of them owns every sixteenth bin in its registers. The group loads
// sixteen bytes, hands them around by shuffles, and a lane counts those whose bin it owns. No atomics before
// the commit.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_size = 128, group_size = 16;

template <class Binning>
struct owned_bins {
  static constexpr int rows = (Binning::bins + group_size - 1) / group_size;
  unsigned int counts[rows] = {};

  __device__ __forceinline__ void add(int row) {
#pragma unroll
    for (int r = 0; r < rows; ++r) counts[r] += r == row;
  }
};

template <class Binning>
__global__ void __launch_bounds__(block_size)
    histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int of_block[Binning::bins];
  const cg::thread_block block = cg::this_thread_block();
  const auto group = cg::tiled_partition<group_size>(block);
  const int rank = static_cast<int>(group.thread_rank());
  for (unsigned bin = block.thread_rank(); bin < Binning::bins; bin += block.size()) of_block[bin] = 0;

  owned_bins<Binning> own;
  const std::size_t groups = std::size_t{gridDim.x} * (block_size / group_size);
  std::size_t number = std::size_t{blockIdx.x} * (block_size / group_size) + group.meta_group_rank();
  for (; number * group_size < length; number += groups) {
    const std::size_t at = number * group_size + rank;
    const int mine = at < length ? Binning::bin_of(data[at]) : -1;
#pragma unroll
    for (unsigned k = 0; k < group_size; ++k) {
      const int bin = group.shfl(mine, k);
      if (bin >= 0 && bin % static_cast<int>(group_size) == rank) own.add(bin / static_cast<int>(group_size));
    }
  }
  block.sync();
#pragma unroll
  for (int row = 0; row < owned_bins<Binning>::rows; ++row) {
    if (own.counts[row] > 0) atomicAdd(&of_block[row * group_size + rank], own.counts[row]);
  }
  block.sync();
  for (unsigned bin = block.thread_rank(); bin < Binning::bins; bin += block.size()) {
    if (of_block[bin] > 0) atomicAdd(&histo[bin], of_block[bin]);
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_size * 8 - 1) / (block_size * 8);
  const std::size_t most = 4 * std::size_t{multiprocessors()};
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
