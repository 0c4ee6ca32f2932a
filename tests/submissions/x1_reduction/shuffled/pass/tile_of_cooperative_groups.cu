// SPDX-License-Identifier: MIT
// Right: a tile of cooperative groups instead of a mask; one warp for each block needs no shared memory.
#include <cooperative_groups.h>

#include "lab.hpp"

namespace groups = cooperative_groups;

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
  typename Operator::value own = Operator::identity();
  for (std::size_t i = thread; i < length; i += threads) own = Operator::combine(own, data[i]);
  const auto tile = groups::tiled_partition<32>(groups::this_thread_block());
  for (unsigned offset = tile.size() / 2; offset > 0; offset /= 2) {
    own = Operator::combine(own, tile.shfl_down(own, offset));
  }
  if (tile.thread_rank() == 0) partials[blockIdx.x] = own;
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = (length + 1023) / 1024;
  return {static_cast<unsigned>(blocks < 4096 ? blocks : 4096), 32};
}
