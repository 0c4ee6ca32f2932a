// SPDX-License-Identifier: MIT
#include "simulator/cuda/cooperative_groups_reduce.hpp"
#include "toolkit_kernels.hpp"

namespace groups = cooperative_groups;

namespace {

template <class Group>
__device__ void write_row(const Group& group, GroupRow* out) {
  const unsigned self = groups::this_thread_block().thread_rank();
  GroupRow row{};
  row.rank = group.thread_rank();
  row.size = group.num_threads();
  row.meta_rank = group.meta_group_rank();
  row.meta_size = group.meta_group_size();
  row.shuffled = group.shfl(self, 1);
  row.up = group.shfl_up(self, 1);
  row.down = group.shfl_down(self, 2);
  row.ballot = group.ballot(self % 4 == 1);
  row.match = group.match_any(self / 3);
  row.any = group.any(self == 5) != 0;
  row.all = group.all(self < 20) != 0;
  if constexpr (!std::is_same_v<Group, groups::coalesced_group>) row.across = group.shfl_xor(self, 3);
  out[self] = row;
}

template <class Group>
__device__ void write_rank(const Group& group, GroupRow* out) {
  GroupRow row{};
  row.rank = static_cast<unsigned>(group.thread_rank());
  row.size = static_cast<unsigned>(group.size());
  out[groups::this_thread_block().thread_rank()] = row;
}

}  // namespace

__global__ void rows_of_block(GroupRow* out) { write_rank(groups::this_thread_block(), out); }

__global__ void rows_of_tiles(unsigned size, GroupRow* out) {
  const groups::thread_block block = groups::this_thread_block();
  if (size == 4) write_row(groups::tiled_partition<4>(block), out);
  if (size == 16) write_row(groups::tiled_partition<16>(block), out);
  if (size == 32) write_row(groups::tiled_partition<32>(block), out);
}

__global__ void rows_of_nested_tiles(GroupRow* out) {
  const auto outer = groups::tiled_partition<16>(groups::this_thread_block());
  write_row(groups::tiled_partition<4>(outer), out);
}

__global__ void rows_of_odd_threads(GroupRow* out) {
  if (threadIdx.x % 2 == 1) write_row(groups::coalesced_threads(), out);
}

// In each round half of the lanes form a group, and all load the next word together.
__global__ void groups_in_loop(const unsigned* in, unsigned rounds, unsigned* sums) {
  unsigned sum = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    const unsigned value = in[32 * i + threadIdx.x];
    if ((value + threadIdx.x) % 2 == 0) continue;
    const auto group = groups::labeled_partition(groups::coalesced_threads(), value % 3);
    sum += group.shfl(value, 0);
  }
  sums[threadIdx.x] = sum;
}

__global__ void rows_of_labels(GroupRow* out) {
  const auto warp = groups::tiled_partition<32>(groups::this_thread_block());
  write_row(groups::labeled_partition(warp, threadIdx.x % 3), out);
}

__global__ void rows_of_any_groups(unsigned size, GroupRow* out) {
  const groups::thread_group block = groups::this_thread_block();
  write_rank(size == 0 ? block : groups::tiled_partition(block, size), out);
}

__global__ void rows_of_grid(GroupRow* out) {
  const groups::grid_group grid = groups::this_grid();
  GroupRow row{};
  row.rank = static_cast<unsigned>(grid.thread_rank());
  row.size = static_cast<unsigned>(grid.size());
  out[grid.thread_rank()] = row;
}

__global__ void reduce_groups(const int* in, int* of_tiles, int* of_odd, double* largest, int* running,
                              int* before) {
  const auto block = groups::this_thread_block();
  const auto tile = groups::tiled_partition<8>(block);
  const unsigned self = block.thread_rank();
  const int value = in[self];
  of_tiles[self] = groups::reduce(tile, value, groups::plus<int>());
  largest[self] = groups::reduce(tile, value / 2.0, groups::greater<double>());
  running[self] = groups::inclusive_scan(tile, value);
  before[self] = groups::exclusive_scan(tile, value, groups::plus<int>());
  if (self % 2 == 1)
    of_odd[self] = groups::reduce(groups::coalesced_threads(), value, [](int a, int b) { return a + b; });
}

__global__ void shuffle_structs(Wide* out) {
  const auto warp = groups::tiled_partition<32>(groups::this_thread_block());
  const Wide own{warp.thread_rank() * 0.5, static_cast<int>(warp.thread_rank())};
  out[warp.thread_rank()] = warp.shfl_up(own, 1);
}

__global__ void share_in_block(bool with_sync, unsigned* out) {
  __shared__ unsigned values[64];
  const auto block = groups::this_thread_block();
  values[block.thread_rank()] = block.thread_rank();
  if (with_sync) block.sync();
  out[block.thread_rank()] = values[63 - block.thread_rank()];
}

__global__ void share_in_tile(bool with_sync, unsigned* out) {
  __shared__ unsigned values[64];
  const auto tile = groups::tiled_partition<16>(groups::this_thread_block());
  unsigned* const own = values + tile.meta_group_rank() * 16;
  own[tile.thread_rank()] = tile.thread_rank();
  if (with_sync) tile.sync();
  out[threadIdx.x] = own[15 - tile.thread_rank()];
}
