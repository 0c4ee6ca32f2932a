// SPDX-License-Identifier: MIT
// A reduction by cooperative groups: each thread walks through the input with two accumulators, then
// cg::reduce makes one value of each tile of 32 threads, and the first tile does the same with the values of
// all tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned block_threads = 512;
constexpr unsigned tiles_of_block = block_threads / 32;

template <class Operator>
__global__ void __launch_bounds__(block_threads)
    reduction_kernel(const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials) {
  using Value = typename Operator::value;
  __shared__ Value of_tiles[tiles_of_block];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const auto combine = [](const Value& a, const Value& b) { return Operator::combine(a, b); };

  const std::size_t threads = std::size_t{gridDim.x} * block_threads;
  std::size_t i = std::size_t{blockIdx.x} * block_threads + block.thread_rank();
  Value even = Operator::identity(), odd = Operator::identity();
  for (; i + threads < length; i += 2 * threads) {
    const Value first = data[i], second = data[i + threads];
    even = combine(even, first);
    odd = combine(odd, second);
  }
  if (i < length) even = combine(even, data[i]);

  const Value of_tile = cg::reduce(tile, combine(even, odd), combine);
  if (tile.thread_rank() == 0) of_tiles[tile.meta_group_rank()] = of_tile;
  block.sync();
  if (tile.meta_group_rank() == 0) {
    const Value mine =
        tile.thread_rank() < tiles_of_block ? of_tiles[tile.thread_rank()] : Operator::identity();
    const Value of_block = cg::reduce(tile, mine, combine);
    if (tile.thread_rank() == 0) partials[blockIdx.x] = of_block;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t enough = (length + block_threads * 8 - 1) / (block_threads * 8);
  const std::size_t resident =
      std::size_t{multiprocessors()} * resident_blocks(reduction_kernel<Sum>, block_threads);
  return {static_cast<unsigned>(enough < resident ? enough : resident), block_threads};
}
