// SPDX-License-Identifier: MIT
// Honest: groups, tiles and reductions.
// needs a GPU
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int some = cg::reduce(warp, i < length ? 1 : 0, cg::plus<int>());
  if (some == 0) return;
  if (i < length) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&histo[bin], 1);
  }
}

LaunchShape launch_shape(std::size_t length) { return {static_cast<unsigned>((length + 255) / 256), 256}; }
