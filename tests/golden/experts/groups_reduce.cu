// SPDX-License-Identifier: MIT
// Cooperative groups: replicated tables added up by cg::reduce over tiles of 16 threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

template <class Binning>
__global__ void histogram_kernel(const unsigned char* data, std::size_t length, unsigned int* histo) {
  constexpr unsigned copies = 16;
  __shared__ unsigned int counts[Binning::bins][copies];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<copies>(block);

  for (unsigned b = tile.meta_group_rank(); b < Binning::bins; b += tile.meta_group_size())
    counts[b][tile.thread_rank()] = 0;
  block.sync();

  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < length; i += stride) {
    const int bin = Binning::bin_of(data[i]);
    if (bin >= 0) atomicAdd(&counts[bin][tile.thread_rank()], 1u);
  }
  block.sync();

  for (unsigned b = tile.meta_group_rank(); b < Binning::bins; b += tile.meta_group_size()) {
    const unsigned int sum = cg::reduce(tile, counts[b][tile.thread_rank()], cg::plus<unsigned int>());
    if (tile.thread_rank() == 0 && sum > 0) atomicAdd(&histo[b], sum);
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr unsigned block = 256;
  const std::size_t enough = (length + block * 32 - 1) / (block * 32);
  const std::size_t resident = std::size_t{multiprocessors()} * resident_blocks(histogram_kernel<Bytes>, block);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block};
}
