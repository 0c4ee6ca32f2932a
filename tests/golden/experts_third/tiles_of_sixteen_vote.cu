// SPDX-License-Identifier: MIT
// Half warps, as tiles of cooperative groups: whoever's bin the tile's first lane has is counted with one
// add.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  __shared__ unsigned int counts[Binning::bins];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  for (unsigned b = block.thread_rank(); b < Binning::bins; b += block.size()) counts[b] = 0;
  block.sync();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t base = std::size_t{blockIdx.x} * blockDim.x; base < length; base += stride) {
    const std::size_t i = base + block.thread_rank();
    const int bin = i < length ? Binning::bin_of(data[i]) : -1;
    const int first = tile.shfl(bin, 0);
    const unsigned same = tile.ballot(bin == first);
    if (tile.thread_rank() == 0) {
      if (first >= 0) atomicAdd(&counts[first], __popc(same));
    } else if (bin >= 0 && bin != first) {
      atomicAdd(&counts[bin], 1u);
    }
  }
  block.sync();
  for (unsigned b = block.thread_rank(); b < Binning::bins; b += block.size())
    if (counts[b]) atomicAdd(&histo[b], counts[b]);
}

LaunchShape launch_shape(std::size_t length) { return {96, 256}; }
