// SPDX-License-Identifier: MIT
// Cooperative groups: tiles of 16 threads fold by their shuffles, word by word; the tiles' sums meet in
// shared memory, where the first tile folds them. Blocks of twelve tiles.
#include <cooperative_groups.h>

#include <cstring>

#include "lab.hpp"

namespace cg = cooperative_groups;

constexpr unsigned blockThreads = 192, tileThreads = 16, tilesOfBlock = blockThreads / tileThreads;

template <class T>
struct Words {
  unsigned word[sizeof(T) / 4];
  __device__ void from(const T& whole) { memcpy(word, &whole, sizeof(T)); }
  __device__ T whole() const {
    T result;
    memcpy(&result, word, sizeof(T));
    return result;
  }
};

template <class Operator, class Tile>
__device__ typename Operator::value foldTile(const Tile& tile, typename Operator::value own) {
  Words<typename Operator::value> words;
  for (unsigned delta = tile.size() / 2; delta > 0; delta /= 2) {
    words.from(own);
#pragma unroll
    for (unsigned& word : words.word) word = tile.shfl_down(word, delta);
    own = Operator::combine(own, words.whole());
  }
  return own;
}

template <class Operator>
__global__ void reduction_kernel(const typename Operator::value* data, std::size_t length,
                                 typename Operator::value* partials) {
  using value = typename Operator::value;
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<tileThreads>(block);
  __shared__ value sums[tilesOfBlock];

  value sum = Operator::identity();
  const std::size_t rank = std::size_t(block.group_index().x) * blockThreads + block.thread_rank();
  for (std::size_t i = rank; i < length; i += std::size_t(gridDim.x) * blockThreads)
    sum = Operator::combine(sum, data[i]);

  sum = foldTile<Operator>(tile, sum);
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = sum;
  block.sync();
  if (tile.meta_group_rank() == 0) {
    sum = tile.thread_rank() < tilesOfBlock ? sums[tile.thread_rank()] : Operator::identity();
    sum = foldTile<Operator>(tile, sum);
    if (tile.thread_rank() == 0) partials[block.group_index().x] = sum;
  }
}

LaunchShape launch_shape(std::size_t length) {
  const std::size_t blocks = length / (blockThreads * 10) + 1, most = 9 * std::size_t(multiprocessors());
  return {unsigned(blocks < most ? blocks : most), blockThreads};
}
