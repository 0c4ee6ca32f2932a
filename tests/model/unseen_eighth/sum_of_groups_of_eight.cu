// SPDX-License-Identifier: MIT
// Cooperative groups on three levels: tiles of eight threads reduce with `cg::reduce`, each over a stretch of
// the input of its own; the tiles' first threads leave their values in shared memory; one tile of 32 takes
// those.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_size = 160, group = 8, groups = block_size / group;
constexpr std::size_t stretch = group * 8;  // elements that a group takes before it moves on
static_assert(groups <= 32, "one warp takes the values of all groups");

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* __restrict__ data, std::size_t length,
                                 typename Operator::value* __restrict__ partials) {
  using value = typename Operator::value;
  __shared__ value of_groups[groups];
  const cg::thread_block block = cg::this_thread_block();
  const auto few = cg::tiled_partition<group>(block);
  const auto warp = cg::tiled_partition<32>(block);
  const auto combine = [](value a, value b) { return Operator::combine(a, b); };

  value own = Operator::identity();
  const std::size_t all_groups = std::size_t{gridDim.x} * few.meta_group_size();
  for (std::size_t g = std::size_t{blockIdx.x} * few.meta_group_size() + few.meta_group_rank();
       g * stretch < length; g += all_groups) {
    const std::size_t begin = g * stretch;
    if (begin + stretch <= length) {
#pragma unroll
      for (std::size_t k = 0; k < stretch; k += group)
        own = combine(own, data[begin + k + few.thread_rank()]);
    } else {
      for (std::size_t i = begin + few.thread_rank(); i < length; i += group) own = combine(own, data[i]);
    }
  }
  few.sync();
  const value of_group = cg::reduce(few, own, combine);
  if (few.thread_rank() == 0) of_groups[few.meta_group_rank()] = of_group;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    value last = Operator::identity();
    if (warp.thread_rank() < groups) last = of_groups[warp.thread_rank()];
    last = cg::reduce(warp, last, combine);
    if (warp.thread_rank() == 0) partials[blockIdx.x] = last;
  }
}

LaunchShape launch_shape(std::size_t length) {
  constexpr std::size_t of_block = groups * stretch * 2;
  const std::size_t enough = (length + of_block - 1) / of_block;
  const std::size_t most = std::size_t{multiprocessors()} * 12;
  return {static_cast<unsigned>(enough < most ? enough : most), block_size};
}
