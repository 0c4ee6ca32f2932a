// SPDX-License-Identifier: MIT
// <cooperative_groups.h>: the block, tiles of a warp, and the threads that are together, made of CUDA's
// barriers and warp operations. (Reductions and scans: cooperative_groups_reduce.hpp.)
#pragma once

#include "simulator/cuda/cuda.hpp"

#define SIMULATOR_INLINE __attribute__((always_inline)) inline

namespace simulator {

SIMULATOR_INLINE unsigned thread_rank_in_block() {
  const uint3 index = threadIdx;
  const dim3 extent = blockDim;
  return (index.z * extent.y + index.y) * extent.x + index.x;
}
SIMULATOR_INLINE unsigned threads_of_block() {
  const dim3 extent = blockDim;
  return extent.x * extent.y * extent.z;
}

// A lane's value of any type that can be copied as bytes, from another lane of the mask.
template <class T>
SIMULATOR_INLINE T value_of_lane(unsigned mask, const T& value, unsigned lane) {
  static_assert(std::is_trivially_destructible_v<T>, "a shuffle takes a type that is copied as bytes");
  if constexpr (std::is_arithmetic_v<T> && sizeof(T) <= 8) {
    return __shfl_sync(mask, value, static_cast<int>(lane));
  } else {
    unsigned words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, static_cast<const void*>(&value), sizeof(T));
    for (unsigned& word : words) word = __shfl_sync(mask, word, static_cast<int>(lane));
    T result;
    __builtin_memcpy(static_cast<void*>(&result), words, sizeof(T));
    return result;
  }
}

}  // namespace simulator

namespace cooperative_groups {

// Any group: the block, or some lanes of a warp.
class thread_group {
 public:
  SIMULATOR_INLINE void sync() const {
    if (is_block())
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  SIMULATOR_INLINE unsigned long long num_threads() const {
    return is_block() ? ::simulator::threads_of_block() : static_cast<unsigned>(__popc(mask_));
  }
  SIMULATOR_INLINE unsigned long long size() const { return num_threads(); }
  SIMULATOR_INLINE unsigned long long thread_rank() const {
    const unsigned rank = ::simulator::thread_rank_in_block();
    return is_block() ? rank : static_cast<unsigned>(__popc(mask_ & ((1u << rank % 32) - 1)));
  }

 protected:
  // The lanes of a warp; no lanes: the block.
  SIMULATOR_INLINE explicit thread_group(unsigned mask) : mask_(mask) {}
  SIMULATOR_INLINE unsigned mask() const { return mask_; }
  friend thread_group tiled_partition(const thread_group& parent, unsigned size);

 private:
  SIMULATOR_INLINE bool is_block() const { return mask_ == 0; }

  unsigned mask_;
};

class thread_block : public thread_group {
 public:
  static SIMULATOR_INLINE void sync() { __syncthreads(); }
  static SIMULATOR_INLINE unsigned thread_rank() { return ::simulator::thread_rank_in_block(); }
  static SIMULATOR_INLINE unsigned num_threads() { return ::simulator::threads_of_block(); }
  static SIMULATOR_INLINE unsigned size() { return num_threads(); }
  static SIMULATOR_INLINE dim3 group_index() { return blockIdx; }
  static SIMULATOR_INLINE dim3 thread_index() { return threadIdx; }
  static SIMULATOR_INLINE dim3 group_dim() { return blockDim; }
  static SIMULATOR_INLINE dim3 dim_threads() { return blockDim; }

 private:
  SIMULATOR_INLINE thread_block() : thread_group(0) {}
  friend thread_block this_thread_block();
};

SIMULATOR_INLINE thread_block this_thread_block() { return {}; }

// The grid as far as a launch without more has one: its threads cannot wait for one another.
class grid_group {
 public:
  static SIMULATOR_INLINE unsigned long long thread_rank() {
    return block_rank() * ::simulator::threads_of_block() + ::simulator::thread_rank_in_block();
  }
  static SIMULATOR_INLINE unsigned long long num_threads() {
    return num_blocks() * ::simulator::threads_of_block();
  }
  static SIMULATOR_INLINE unsigned long long size() { return num_threads(); }
  static SIMULATOR_INLINE unsigned long long block_rank() {
    const uint3 index = blockIdx;
    const dim3 extent = gridDim;
    return (static_cast<unsigned long long>(index.z) * extent.y + index.y) * extent.x + index.x;
  }
  static SIMULATOR_INLINE unsigned long long num_blocks() {
    const dim3 extent = gridDim;
    return static_cast<unsigned long long>(extent.x) * extent.y * extent.z;
  }
  static SIMULATOR_INLINE dim3 block_index() { return blockIdx; }
  static SIMULATOR_INLINE dim3 dim_blocks() { return gridDim; }
  static SIMULATOR_INLINE dim3 group_dim() { return gridDim; }
  static SIMULATOR_INLINE bool is_valid() { return false; }
  template <bool is_used = true>
  void sync() const {
    static_assert(!is_used, "barriers of a grid are not simulated: they need a GPU");
  }
};
SIMULATOR_INLINE grid_group this_grid() { return {}; }

// Some lanes of a warp, in order.
class coalesced_group : public thread_group {
 public:
  SIMULATOR_INLINE explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : thread_group(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  SIMULATOR_INLINE void sync() const { __syncwarp(mask()); }
  SIMULATOR_INLINE unsigned num_threads() const { return static_cast<unsigned>(__popc(mask())); }
  SIMULATOR_INLINE unsigned size() const { return num_threads(); }
  SIMULATOR_INLINE unsigned thread_rank() const {
    return static_cast<unsigned>(__popc(mask() & ((1u << lane()) - 1)));
  }
  SIMULATOR_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  SIMULATOR_INLINE unsigned meta_group_size() const { return meta_size_; }

  template <class T>
  SIMULATOR_INLINE T shfl(const T& value, int rank) const {
    return from_rank(value, static_cast<unsigned>(rank) % num_threads());
  }
  template <class T>
  SIMULATOR_INLINE T shfl_up(const T& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, rank >= delta ? rank - delta : rank);
  }
  template <class T>
  SIMULATOR_INLINE T shfl_down(const T& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, rank + delta < num_threads() ? rank + delta : rank);
  }
  SIMULATOR_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
  SIMULATOR_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
  SIMULATOR_INLINE unsigned ballot(int predicate) const {
    return ::simulator::ranks_of_lanes(__ballot_sync(mask(), predicate), mask());
  }
  template <class T>
  SIMULATOR_INLINE unsigned match_any(T value) const {
    return ::simulator::ranks_of_lanes(__match_any_sync(mask(), value), mask());
  }
  template <class T>
  SIMULATOR_INLINE unsigned match_all(T value, int& predicate) const {
    return ::simulator::ranks_of_lanes(__match_all_sync(mask(), value, &predicate), mask());
  }

  // The part of this group with as many threads as `lanes`, which are among its own.
  SIMULATOR_INLINE coalesced_group part(unsigned lanes, unsigned meta_rank, unsigned meta_size) const {
    return coalesced_group(lanes, meta_rank, meta_size);
  }
  SIMULATOR_INLINE unsigned lanes() const { return mask(); }

 private:
  static SIMULATOR_INLINE unsigned lane() { return ::simulator::thread_rank_in_block() % 32; }
  template <class T>
  SIMULATOR_INLINE T from_rank(const T& value, unsigned rank) const {
    return ::simulator::value_of_lane(mask(), value, __fns(mask(), 0, static_cast<int>(rank) + 1));
  }

  unsigned meta_rank_, meta_size_;
};

SIMULATOR_INLINE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Size threads in a row, a power of 2 up to a warp.
template <unsigned Size, class Parent = void>
class thread_block_tile : public thread_group {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
  static_assert(Size <= 32, "tiles of more than a warp are not simulated: they need a GPU");

 public:
  SIMULATOR_INLINE thread_block_tile(unsigned meta_rank, unsigned meta_size)
      : thread_group(mask_of_tile()), meta_rank_(meta_rank), meta_size_(meta_size) {}
  // a tile whose parent does not matter
  template <class OtherParent>
  SIMULATOR_INLINE thread_block_tile(const thread_block_tile<Size, OtherParent>& other)
      : thread_block_tile(other.meta_group_rank(), other.meta_group_size()) {}

  SIMULATOR_INLINE void sync() const { __syncwarp(mask()); }
  static SIMULATOR_INLINE unsigned thread_rank() { return ::simulator::thread_rank_in_block() % Size; }
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  SIMULATOR_INLINE unsigned meta_group_rank() const { return meta_rank_; }
  SIMULATOR_INLINE unsigned meta_group_size() const { return meta_size_; }

  template <class T>
  SIMULATOR_INLINE T shfl(const T& value, int rank) const {
    return from_rank(value, static_cast<unsigned>(rank) % Size);
  }
  template <class T>
  SIMULATOR_INLINE T shfl_up(const T& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, rank >= delta ? rank - delta : rank);
  }
  template <class T>
  SIMULATOR_INLINE T shfl_down(const T& value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_rank(value, rank + delta < Size ? rank + delta : rank);
  }
  template <class T>
  SIMULATOR_INLINE T shfl_xor(const T& value, unsigned lane_mask) const {
    return from_rank(value, (thread_rank() ^ lane_mask) % Size);
  }
  SIMULATOR_INLINE int any(int predicate) const { return __any_sync(mask(), predicate); }
  SIMULATOR_INLINE int all(int predicate) const { return __all_sync(mask(), predicate); }
  SIMULATOR_INLINE unsigned ballot(int predicate) const {
    return __ballot_sync(mask(), predicate) >> first_lane();
  }
  template <class T>
  SIMULATOR_INLINE unsigned match_any(T value) const {
    return __match_any_sync(mask(), value) >> first_lane();
  }
  template <class T>
  SIMULATOR_INLINE unsigned match_all(T value, int& predicate) const {
    return __match_all_sync(mask(), value, &predicate) >> first_lane();
  }
  SIMULATOR_INLINE unsigned lanes() const { return mask(); }

 private:
  static SIMULATOR_INLINE unsigned first_lane() {
    return ::simulator::thread_rank_in_block() % 32 / Size * Size;
  }
  static SIMULATOR_INLINE unsigned mask_of_tile() { return (0xffffffffu >> (32 - Size)) << first_lane(); }
  template <class T>
  SIMULATOR_INLINE T from_rank(const T& value, unsigned rank) const {
    return ::simulator::value_of_lane(mask(), value, first_lane() + rank);
  }

  unsigned meta_rank_, meta_size_;
};

// --- Partitions

template <unsigned Size, class Parent = thread_block>
SIMULATOR_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {::simulator::thread_rank_in_block() / Size, (::simulator::threads_of_block() + Size - 1) / Size};
}
template <unsigned Size, unsigned ParentSize, class Parent>
SIMULATOR_INLINE thread_block_tile<Size, thread_block_tile<ParentSize, Parent>> tiled_partition(
    const thread_block_tile<ParentSize, Parent>& parent) {
  static_assert(Size <= ParentSize, "a tile is no larger than what it is a part of");
  return {parent.thread_rank() / Size, ParentSize / Size};
}

SIMULATOR_INLINE coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned rank = parent.thread_rank(), first = rank / size * size, threads = parent.num_threads();
  unsigned lanes = 0;
  for (unsigned i = first; i < first + size && i < threads; ++i)
    lanes |= 1u << __fns(parent.lanes(), 0, static_cast<int>(i) + 1);
  return parent.part(lanes, rank / size, (threads + size - 1) / size);
}
SIMULATOR_INLINE thread_group tiled_partition(const thread_group& parent, unsigned size) {
  unsigned lanes = parent.mask();
  if (lanes == 0) {
    const unsigned first = ::simulator::thread_rank_in_block() / 32 * 32;
    const unsigned left = ::simulator::threads_of_block() - first;
    lanes = left < 32 ? (1u << left) - 1 : 0xffffffff;
  }
  return tiled_partition(coalesced_group(lanes), size);
}

// The threads of a group with equal labels.
template <class Group, class Label>
SIMULATOR_INLINE coalesced_group labeled_partition(const Group& group, Label label) {
  const unsigned lanes = __match_any_sync(group.lanes(), label);
  const unsigned first = static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1;
  const bool leads = ::simulator::thread_rank_in_block() % 32 == first;
  const unsigned leaders = __ballot_sync(group.lanes(), leads);
  return coalesced_group(lanes, static_cast<unsigned>(__popc(leaders & ((1u << first) - 1))),
                         static_cast<unsigned>(__popc(leaders)));
}
template <class Group>
SIMULATOR_INLINE coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned with = __ballot_sync(group.lanes(), predicate);
  return coalesced_group(predicate ? with : group.lanes() & ~with, predicate, 2);
}

// --- The same as functions

template <class Group>
SIMULATOR_INLINE void sync(const Group& group) {
  group.sync();
}
template <class Group>
SIMULATOR_INLINE auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
SIMULATOR_INLINE auto group_size(const Group& group) {
  return group.size();
}

// By one of the group's threads.
template <class Group, class Function, class... Arguments>
SIMULATOR_INLINE void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}

// The result of the call that one thread makes, for all of a tile or of coalesced threads.
template <class Group, class Function, class... Arguments>
SIMULATOR_INLINE auto invoke_one_broadcast(const Group& group, Function&& function,
                                           Arguments&&... arguments) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups

#undef SIMULATOR_INLINE

#define this_cluster \
  SIMULATOR_REFUSE(GCC error "thread block clusters are not simulated: they need a GPU") this_cluster
#define memcpy_async \
  SIMULATOR_REFUSE(GCC error "asynchronous copies are not simulated: they need a GPU") memcpy_async
