// SPDX-License-Identifier: MIT
// Cooperative groups: the lanes whose byte is counted form a coalesced group. If their bins are all the same,
// the group's first lane adds the size of the group, and otherwise each lane its own 1.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

template <class Binning>
__device__ void count_byte(unsigned int* counts, unsigned char byte) {
  const int bin = Binning::bin_of(byte);
  if (bin >= 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    const int first = active.shfl(bin, 0);
    if (active.all(bin == first)) {
      if (active.thread_rank() == 0) atomicAdd(&counts[bin], active.size());
    } else {
      atomicAdd(&counts[bin], 1u);
    }
  }
}

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  for (unsigned bin = block.thread_rank(); bin < Binning::bins; bin += block.size()) counts[bin] = 0;
  block.sync();

  const std::size_t threads = grid.size();
  for (std::size_t i = grid.thread_rank(); i < length; i += threads) count_byte<Binning>(counts, data[i]);
  block.sync();

  for (unsigned bin = block.thread_rank(); bin < Binning::bins; bin += block.size()) {
    const unsigned int count = counts[bin];
    if (count > 0) atomicAdd(&histo[bin], count);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 512;
  const std::size_t enough = (length + block * 8 - 1) / (block * 8);
  const std::size_t most = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < most ? enough : most), block};
}
