// SPDX-License-Identifier: MIT
// CUB's reductions and scans of a warp, with its interface and results. They are made of shuffles, so that
// their TempStorage is never touched; whose it is, the machine is told all the same. Everything is inlined:
// the places that reports name are the kernel's.
#pragma once

#include "simulator/cuda/cooperative_groups.hpp"
#include "simulator/cuda/functional.hpp"

#define SIMULATOR_INLINE __attribute__((always_inline)) inline

namespace cub {

namespace simulated {

// The lanes of the running thread's warp that exist.
SIMULATOR_INLINE unsigned lanes_of_warp() {
  const unsigned first = ::simulator::thread_rank_in_block() / 32 * 32;
  const unsigned threads = ::simulator::threads_of_block() - first;
  return threads < 32 ? (1u << threads) - 1 : 0xffffffff;
}

// The threads of a warp, in segments of `width`.
template <int width>
struct Segment {
  unsigned lane, rank, mask;

  SIMULATOR_INLINE Segment() : lane(::simulator::thread_rank_in_block() % 32), rank(lane % width) {
    mask = lanes_of_warp();
    // segments that are a power of 2 go their own ways
    if constexpr ((width & (width - 1)) == 0) mask &= (0xffffffffu >> (32 - width)) << (lane - rank);
  }

  // The value of another lane of the segment; its own if the lane does not exist.
  template <class T>
  SIMULATOR_INLINE T value_of(const T& value, unsigned of_rank) const {
    const unsigned source = lane - rank + of_rank;
    return ::simulator::value_of_lane(mask, value, mask >> source & 1 ? source : lane);
  }
};

// What an object of CUB's does for a logical warp, which needs storage that no other uses meanwhile.
template <int width>
SIMULATOR_INLINE void use(const void* storage) {
  ::simulator::use_storage_of_warp(
      storage, ::simulator::thread_rank_in_block() / 32 * 32 + Segment<width>().lane / width * width);
}

// In the first lane of `valid` ones: operation(all their values).
template <int width, class T, class Operation>
SIMULATOR_INLINE T reduced(T value, unsigned valid, Operation operation) {
  const Segment<width> segment;
  for (unsigned offset = 1; offset < width; offset *= 2) {
    const unsigned from = segment.rank + offset;
    const T other = segment.value_of(value, from < valid ? from : segment.rank);
    if (from < valid) value = operation(value, other);
  }
  return value;
}

// operation(values up to this lane's)
template <int width, class T, class Operation>
SIMULATOR_INLINE T scanned(T value, Operation operation, const Segment<width>& segment = {}) {
  for (unsigned offset = 1; offset < width; offset *= 2) {
    const T other = segment.value_of(value, segment.rank >= offset ? segment.rank - offset : segment.rank);
    if (segment.rank >= offset) value = operation(other, value);
  }
  return value;
}

template <class T, int items, class Operation>
SIMULATOR_INLINE T reduced_items(const T (&values)[items], Operation operation) {
  T result = values[0];
  for (int i = 1; i < items; ++i) result = operation(result, values[i]);
  return result;
}

}  // namespace simulated

template <class T, int width = 32, int = 0>
class WarpReduce {
  static_assert(width >= 1 && width <= 32, "a logical warp has 1 to 32 threads");

 public:
  struct TempStorage {
    unsigned char unused;
  };
  SIMULATOR_INLINE explicit WarpReduce(TempStorage& storage) : storage_(&storage) {}

  template <class Operation>
  SIMULATOR_INLINE T Reduce(T value, Operation operation) {
    simulated::use<width>(storage_);
    return simulated::reduced<width>(value, width, operation);
  }
  template <class Operation>
  SIMULATOR_INLINE T Reduce(T value, Operation operation, int valid) {
    simulated::use<width>(storage_);
    return simulated::reduced<width>(value, static_cast<unsigned>(valid), operation);
  }
  SIMULATOR_INLINE T Sum(T value) { return Reduce(value, ::cuda::std::plus<>()); }
  SIMULATOR_INLINE T Sum(T value, int valid) { return Reduce(value, ::cuda::std::plus<>(), valid); }

  // Each segment begins (Head) or ends (Tail) where `flag` is set; its first lane gets the result.
  template <class Flag, class Operation>
  SIMULATOR_INLINE T HeadSegmentedReduce(T value, Flag flag, Operation operation) {
    const simulated::Segment<width> segment;
    const unsigned heads = __ballot_sync(segment.mask, flag) >> (segment.lane - segment.rank);
    return segmented(value, heads >> 1, operation);
  }
  template <class Flag, class Operation>
  SIMULATOR_INLINE T TailSegmentedReduce(T value, Flag flag, Operation operation) {
    const simulated::Segment<width> segment;
    return segmented(value, __ballot_sync(segment.mask, flag) >> (segment.lane - segment.rank), operation);
  }
  template <class Flag>
  SIMULATOR_INLINE T HeadSegmentedSum(T value, Flag flag) {
    return HeadSegmentedReduce(value, flag, ::cuda::std::plus<>());
  }
  template <class Flag>
  SIMULATOR_INLINE T TailSegmentedSum(T value, Flag flag) {
    return TailSegmentedReduce(value, flag, ::cuda::std::plus<>());
  }

 private:
  template <class Operation>
  SIMULATOR_INLINE T segmented(T value, unsigned tails, Operation operation) {
    simulated::use<width>(storage_);
    const unsigned rank = simulated::Segment<width>().rank;
    const unsigned from_here = (tails | 1u << (width - 1)) >> rank;
    return simulated::reduced<width>(value, rank + static_cast<unsigned>(__ffs(static_cast<int>(from_here))),
                                     operation);
  }

  const void* storage_;
};

template <class T, int width = 32, int = 0>
class WarpScan {
 public:
  struct TempStorage {
    unsigned char unused;
  };
  SIMULATOR_INLINE explicit WarpScan(TempStorage& storage) : storage_(&storage) {}

  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, Operation operation) {
    result = scanned(value, operation);
  }
  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, Operation operation, T& total) {
    result = scanned(value, operation);
    total = simulated::Segment<width>().value_of(result, width - 1);
  }
  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, T initial, Operation operation) {
    result = operation(initial, scanned(value, operation));
  }
  // The total is without the initial value.
  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, T initial, Operation operation, T& total) {
    InclusiveScan(value, result, operation, total);
    result = operation(initial, result);
  }

  // Without an initial value the first lane's result is undefined; here it is T{}.
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, Operation operation) {
    result = before(scanned(value, operation)).value_or(T{});
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, Operation operation, T& total) {
    T up_to;
    InclusiveScan(value, up_to, operation, total);
    result = before(up_to).value_or(T{});
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, T initial, Operation operation) {
    const Before others = before(scanned(value, operation));
    result = others.is_there ? operation(initial, others.value) : initial;
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, T initial, Operation operation, T& total) {
    T up_to;
    InclusiveScan(value, up_to, operation, total);
    const Before others = before(up_to);
    result = others.is_there ? operation(initial, others.value) : initial;
  }
  template <class Operation>
  SIMULATOR_INLINE void Scan(T value, T& inclusive, T& exclusive, Operation operation) {
    InclusiveScan(value, inclusive, operation);
    exclusive = before(inclusive).value_or(T{});
  }
  template <class Operation>
  SIMULATOR_INLINE void Scan(T value, T& inclusive, T& exclusive, T initial, Operation operation) {
    InclusiveScan(value, inclusive, initial, operation);
    exclusive = before(inclusive).value_or(initial);
  }
  SIMULATOR_INLINE void InclusiveSum(T value, T& result) {
    InclusiveScan(value, result, ::cuda::std::plus<>());
  }
  SIMULATOR_INLINE void InclusiveSum(T value, T& result, T& total) {
    InclusiveScan(value, result, ::cuda::std::plus<>(), total);
  }
  SIMULATOR_INLINE void ExclusiveSum(T value, T& result) {
    ExclusiveScan(value, result, T{}, ::cuda::std::plus<>());
  }
  SIMULATOR_INLINE void ExclusiveSum(T value, T& result, T& total) {
    InclusiveScan(value, result, ::cuda::std::plus<>(), total);
    result = result - value;
  }
  template <class U>
  SIMULATOR_INLINE U Broadcast(U value, unsigned rank) {
    return simulated::Segment<width>().value_of(value, rank);
  }

 private:
  // What the lane before has; nothing before the first.
  struct Before {
    T value;
    bool is_there;

    SIMULATOR_INLINE T value_or(T other) const { return is_there ? value : other; }
  };
  template <class Operation>
  SIMULATOR_INLINE T scanned(T value, Operation operation) {
    simulated::use<width>(storage_);
    return simulated::scanned<width>(value, operation);
  }
  static SIMULATOR_INLINE Before before(const T& value) {
    const simulated::Segment<width> segment;
    return {segment.value_of(value, segment.rank > 0 ? segment.rank - 1 : 0), segment.rank > 0};
  }

  const void* storage_;
};

}  // namespace cub

#undef SIMULATOR_INLINE
