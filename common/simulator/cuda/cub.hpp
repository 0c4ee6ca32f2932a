// SPDX-License-Identifier: MIT
// CUB's reductions, scans and histograms of a warp or a block, with its interface: results, and the memory
// that threads share, as CUB documents them. A block's TempStorage is shared memory that is written and read
// here, so that using it again without a barrier is the race that it is on a GPU. Everything is inlined: the
// places that reports name are the kernel's.
#pragma once

#include "simulator/cuda/cooperative_groups.hpp"
#include "simulator/cuda/functional.hpp"

#define SIMULATOR_INLINE __attribute__((always_inline)) inline

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

// CUDA 12's names; later ones have cuda::std::plus, cuda::maximum and cuda::minimum alone.
using Sum = ::cuda::std::plus<>;
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;

namespace simulated {

// Room for values of T, without constructors: shared memory has none.
template <class T, int count>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T) * count];

  SIMULATOR_INLINE T& operator[](unsigned index) { return reinterpret_cast<T*>(bytes)[index]; }
};

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
SIMULATOR_INLINE T scanned(T value, Operation operation) {
  const Segment<width> segment;
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

// --- A warp: by shuffles, so that its TempStorage is never touched

template <class T, int width = 32, int = 0>
class WarpReduce {
  static_assert(width >= 1 && width <= 32, "a logical warp has 1 to 32 threads");

 public:
  struct TempStorage {
    unsigned char unused;
  };
  SIMULATOR_INLINE explicit WarpReduce(TempStorage&) {}

  template <class Operation>
  SIMULATOR_INLINE T Reduce(T value, Operation operation) {
    return simulated::reduced<width>(value, width, operation);
  }
  template <class Operation>
  SIMULATOR_INLINE T Reduce(T value, Operation operation, int valid) {
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
    const unsigned rank = simulated::Segment<width>().rank;
    const unsigned from_here = (tails | 1u << (width - 1)) >> rank;
    return simulated::reduced<width>(value, rank + static_cast<unsigned>(__ffs(static_cast<int>(from_here))),
                                     operation);
  }
};

template <class T, int width = 32, int = 0>
class WarpScan {
 public:
  struct TempStorage {
    unsigned char unused;
  };
  SIMULATOR_INLINE explicit WarpScan(TempStorage&) {}

  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, Operation operation) {
    result = simulated::scanned<width>(value, operation);
  }
  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, Operation operation, T& total) {
    result = simulated::scanned<width>(value, operation);
    total = simulated::Segment<width>().value_of(result, width - 1);
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, T initial, Operation operation) {
    const simulated::Segment<width> segment;
    const T up_to = simulated::scanned<width>(value, operation);
    const T before = segment.value_of(up_to, segment.rank > 0 ? segment.rank - 1 : 0);
    result = segment.rank > 0 ? operation(initial, before) : initial;
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
};

// --- A block

// The storage of those who bring none.
#define SIMULATOR_OWN_STORAGE(name)                                                        \
  SIMULATOR_INLINE name() : storage_(own()), rank_(::simulator::thread_rank_in_block()) {} \
  SIMULATOR_INLINE explicit name(TempStorage& storage)                                     \
      : storage_(storage), rank_(::simulator::thread_rank_in_block()) {}                   \
                                                                                           \
 private:                                                                                  \
  static TempStorage& own() {                                                              \
    __shared__ TempStorage storage;                                                        \
    return storage;                                                                        \
  }                                                                                        \
  TempStorage& storage_;                                                                   \
  unsigned rank_;

// The result is the first thread's.
template <class T, int block_x, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int block_y = 1,
          int block_z = 1, int = 0>
class BlockReduce {
  static constexpr unsigned threads = block_x * block_y * block_z, warps = (threads + 31) / 32;

 public:
  struct TempStorage {
    simulated::Room<T, warps> of_warps;
  };
  SIMULATOR_OWN_STORAGE(BlockReduce)

 public:
  template <class Operation>
  SIMULATOR_INLINE T Reduce(T value, Operation operation) {
    return reduced(value, threads, operation);
  }
  template <class Operation>
  SIMULATOR_INLINE T Reduce(T value, Operation operation, int valid) {
    return reduced(value, static_cast<unsigned>(valid), operation);
  }
  template <int items, class Operation>
  SIMULATOR_INLINE T Reduce(T (&values)[items], Operation operation) {
    return reduced(simulated::reduced_items(values, operation), threads, operation);
  }
  SIMULATOR_INLINE T Sum(T value) { return Reduce(value, ::cuda::std::plus<>()); }
  SIMULATOR_INLINE T Sum(T value, int valid) { return Reduce(value, ::cuda::std::plus<>(), valid); }
  template <int items>
  SIMULATOR_INLINE T Sum(T (&values)[items]) {
    return Reduce(values, ::cuda::std::plus<>());
  }

 private:
  template <class Operation>
  SIMULATOR_INLINE T reduced(T value, unsigned valid, Operation operation) {
    const unsigned first = rank_ / 32 * 32;
    value = simulated::reduced<32>(value, valid > first ? valid - first : 0, operation);
    if (rank_ % 32 == 0) storage_.of_warps[rank_ / 32] = value;
    __syncthreads();
    if (rank_ != 0) return value;
    for (unsigned warp = 1; warp < warps && warp * 32 < valid; ++warp)
      value = operation(value, static_cast<const T&>(storage_.of_warps[warp]));
    return value;
  }
};

template <class T, int block_x, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int block_y = 1, int block_z = 1,
          int = 0>
class BlockScan {
  static constexpr unsigned threads = block_x * block_y * block_z, warps = (threads + 31) / 32;

 public:
  struct TempStorage {
    simulated::Room<T, warps> of_warps;
    simulated::Room<T, 1> prefix;
  };
  SIMULATOR_OWN_STORAGE(BlockScan)

  // What comes before a thread: nothing before the first, unless something comes before the block.
  struct Before {
    T value;
    bool is_there;
  };

  template <class Operation>
  static SIMULATOR_INLINE T joined(const Before& before, const T& value, Operation operation) {
    return before.is_there ? operation(before.value, value) : value;
  }

  // The values before this thread's, and all of them in `total`.
  template <class Operation>
  SIMULATOR_INLINE Before before(const T& value, Operation operation, T& total) {
    const simulated::Segment<32> segment;
    const T up_to = simulated::scanned<32>(value, operation);
    const unsigned warp = rank_ / 32;
    if (rank_ % 32 == 31 || rank_ == threads - 1) storage_.of_warps[warp] = up_to;
    T result = segment.value_of(up_to, segment.rank > 0 ? segment.rank - 1 : 0);
    __syncthreads();
    total = storage_.of_warps[0];
    T of_lower_warps = total;
    for (unsigned other = 1; other < warps; ++other) {
      if (other == warp) of_lower_warps = total;
      total = operation(total, static_cast<const T&>(storage_.of_warps[other]));
    }
    if (warp > 0) result = segment.rank > 0 ? operation(of_lower_warps, result) : of_lower_warps;
    return {result, rank_ > 0};
  }

  // `prefix_of(total)`, which the first warp calls, is what comes before the block.
  template <class Operation, class Prefix>
  SIMULATOR_INLINE Before before_with_prefix(const T& value, Operation operation, Prefix& prefix_of) {
    T total;
    const Before in_block = before(value, operation, total);
    if (rank_ < 32) {
      const T prefix = prefix_of(total);
      if (rank_ == 0) storage_.prefix[0] = prefix;
    }
    __syncthreads();
    const T prefix = storage_.prefix[0];
    return {in_block.is_there ? operation(prefix, in_block.value) : prefix, true};
  }

  template <int items, class Operation>
  static SIMULATOR_INLINE void scan_items(Before before, T (&values)[items], T (&results)[items],
                                          bool inclusive, Operation operation) {
    for (int i = 0; i < items; ++i) {
      const T value = values[i], up_to = joined(before, value, operation);
      results[i] = inclusive ? up_to : before.value;
      before = {up_to, true};
    }
  }

 public:
  // Operators first, then sums; each for one value and for several in a row.
  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, Operation operation) {
    T total;
    InclusiveScan(value, result, operation, total);
  }
  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, Operation operation, T& total) {
    result = joined(before(value, operation, total), value, operation);
  }
  template <class Operation, class Prefix, class = std::enable_if_t<std::is_class_v<Prefix>>>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, Operation operation, Prefix& prefix) {
    result = joined(before_with_prefix(value, operation, prefix), value, operation);
  }
  template <int items, class Operation>
  SIMULATOR_INLINE void InclusiveScan(T (&values)[items], T (&results)[items], Operation operation) {
    T total;
    InclusiveScan(values, results, operation, total);
  }
  template <int items, class Operation>
  SIMULATOR_INLINE void InclusiveScan(T (&values)[items], T (&results)[items], Operation operation,
                                      T& total) {
    scan_items(before(simulated::reduced_items(values, operation), operation, total), values, results, true,
               operation);
  }
  template <int items, class Operation, class Prefix, class = std::enable_if_t<std::is_class_v<Prefix>>>
  SIMULATOR_INLINE void InclusiveScan(T (&values)[items], T (&results)[items], Operation operation,
                                      Prefix& prefix) {
    scan_items(before_with_prefix(simulated::reduced_items(values, operation), operation, prefix), values,
               results, true, operation);
  }

  // Without an initial value the first thread's result is undefined; here it is T{}.
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, Operation operation) {
    T total;
    ExclusiveScan(value, result, operation, total);
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, Operation operation, T& total) {
    const Before all = before(value, operation, total);
    result = all.is_there ? all.value : T{};
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, T initial, Operation operation) {
    T total;
    ExclusiveScan(value, result, initial, operation, total);
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, T initial, Operation operation, T& total) {
    const Before all = before(value, operation, total);
    result = all.is_there ? operation(initial, all.value) : initial;
  }
  template <class Operation, class Prefix, class = std::enable_if_t<std::is_class_v<Prefix>>>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, Operation operation, Prefix& prefix) {
    result = before_with_prefix(value, operation, prefix).value;
  }
  template <int items, class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T (&values)[items], T (&results)[items], T initial,
                                      Operation operation) {
    T total;
    ExclusiveScan(values, results, initial, operation, total);
  }
  template <int items, class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T (&values)[items], T (&results)[items], T initial, Operation operation,
                                      T& total) {
    const Before all = before(simulated::reduced_items(values, operation), operation, total);
    scan_items({all.is_there ? operation(initial, all.value) : initial, true}, values, results, false,
               operation);
  }
  template <int items, class Operation, class Prefix, class = std::enable_if_t<std::is_class_v<Prefix>>>
  SIMULATOR_INLINE void ExclusiveScan(T (&values)[items], T (&results)[items], Operation operation,
                                      Prefix& prefix) {
    scan_items(before_with_prefix(simulated::reduced_items(values, operation), operation, prefix), values,
               results, false, operation);
  }

  template <class In, class Out, class... More>
  SIMULATOR_INLINE void InclusiveSum(In&& values, Out& results, More&... more) {
    InclusiveScan(values, results, ::cuda::std::plus<>(), more...);
  }
  SIMULATOR_INLINE void ExclusiveSum(T value, T& result) {
    ExclusiveScan(value, result, T{}, ::cuda::std::plus<>());
  }
  SIMULATOR_INLINE void ExclusiveSum(T value, T& result, T& total) {
    ExclusiveScan(value, result, T{}, ::cuda::std::plus<>(), total);
  }
  template <class Prefix, class = std::enable_if_t<std::is_class_v<Prefix>>>
  SIMULATOR_INLINE void ExclusiveSum(T value, T& result, Prefix& prefix) {
    ExclusiveScan(value, result, ::cuda::std::plus<>(), prefix);
  }
  template <int items>
  SIMULATOR_INLINE void ExclusiveSum(T (&values)[items], T (&results)[items]) {
    ExclusiveScan(values, results, T{}, ::cuda::std::plus<>());
  }
  template <int items>
  SIMULATOR_INLINE void ExclusiveSum(T (&values)[items], T (&results)[items], T& total) {
    ExclusiveScan(values, results, T{}, ::cuda::std::plus<>(), total);
  }
  template <int items, class Prefix, class = std::enable_if_t<std::is_class_v<Prefix>>>
  SIMULATOR_INLINE void ExclusiveSum(T (&values)[items], T (&results)[items], Prefix& prefix) {
    ExclusiveScan(values, results, ::cuda::std::plus<>(), prefix);
  }
};

// Counts in shared or global memory. CUB's way by sorting is another one here, by counters of its own: the
// result is the same, the accesses are not.
template <class T, int block_x, int items, int kinds, BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT,
          int block_y = 1, int block_z = 1, int = 0>
class BlockHistogram {
  static constexpr unsigned threads = block_x * block_y * block_z;

 public:
  struct TempStorage {
    unsigned counts[algorithm == BLOCK_HISTO_SORT ? kinds : 1];
  };
  SIMULATOR_OWN_STORAGE(BlockHistogram)

 public:
  template <class Counter>
  SIMULATOR_INLINE void InitHistogram(Counter* histogram) {
    for (unsigned kind = rank_; kind < kinds; kind += threads) histogram[kind] = Counter{};
  }
  template <class Counter>
  SIMULATOR_INLINE void Histogram(T (&values)[items], Counter* histogram) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(values, histogram);
  }
  template <class Counter>
  SIMULATOR_INLINE void Composite(T (&values)[items], Counter* histogram) {
    if constexpr (algorithm == BLOCK_HISTO_ATOMIC) {
      for (int i = 0; i < items; ++i) atomicAdd(histogram + static_cast<unsigned>(values[i]), Counter{1});
    } else {
      for (unsigned kind = rank_; kind < kinds; kind += threads) storage_.counts[kind] = 0;
      __syncthreads();
      for (int i = 0; i < items; ++i) atomicAdd(storage_.counts + static_cast<unsigned>(values[i]), 1u);
      __syncthreads();
      for (unsigned kind = rank_; kind < kinds; kind += threads)
        histogram[kind] = static_cast<Counter>(histogram[kind] + storage_.counts[kind]);
    }
  }
};

}  // namespace cub

#undef SIMULATOR_OWN_STORAGE
#undef SIMULATOR_INLINE

// The rest of CUB.
#define BlockAdjacentDifference                                                               \
  SIMULATOR_REFUSE(GCC error "cub::BlockAdjacentDifference is not simulated: it needs a GPU") \
  BlockAdjacentDifference
#define BlockDiscontinuity \
  SIMULATOR_REFUSE(GCC error "cub::BlockDiscontinuity is not simulated: it needs a GPU") BlockDiscontinuity
#define BlockExchange \
  SIMULATOR_REFUSE(GCC error "cub::BlockExchange is not simulated: it needs a GPU") BlockExchange
#define BlockLoad SIMULATOR_REFUSE(GCC error "cub::BlockLoad is not simulated: it needs a GPU") BlockLoad
#define BlockMergeSort \
  SIMULATOR_REFUSE(GCC error "cub::BlockMergeSort is not simulated: it needs a GPU") BlockMergeSort
#define BlockRadixSort \
  SIMULATOR_REFUSE(GCC error "cub::BlockRadixSort is not simulated: it needs a GPU") BlockRadixSort
#define BlockRunLengthDecode                                                               \
  SIMULATOR_REFUSE(GCC error "cub::BlockRunLengthDecode is not simulated: it needs a GPU") \
  BlockRunLengthDecode
#define BlockShuffle \
  SIMULATOR_REFUSE(GCC error "cub::BlockShuffle is not simulated: it needs a GPU") BlockShuffle
#define BlockStore SIMULATOR_REFUSE(GCC error "cub::BlockStore is not simulated: it needs a GPU") BlockStore
#define DeviceAdjacentDifference                                                               \
  SIMULATOR_REFUSE(GCC error "cub::DeviceAdjacentDifference is not simulated: it needs a GPU") \
  DeviceAdjacentDifference
#define DeviceCopy SIMULATOR_REFUSE(GCC error "cub::DeviceCopy is not simulated: it needs a GPU") DeviceCopy
#define DeviceFor SIMULATOR_REFUSE(GCC error "cub::DeviceFor is not simulated: it needs a GPU") DeviceFor
#define DeviceHistogram \
  SIMULATOR_REFUSE(GCC error "cub::DeviceHistogram is not simulated: it needs a GPU") DeviceHistogram
#define DeviceMemcpy \
  SIMULATOR_REFUSE(GCC error "cub::DeviceMemcpy is not simulated: it needs a GPU") DeviceMemcpy
#define DeviceMerge \
  SIMULATOR_REFUSE(GCC error "cub::DeviceMerge is not simulated: it needs a GPU") DeviceMerge
#define DeviceMergeSort \
  SIMULATOR_REFUSE(GCC error "cub::DeviceMergeSort is not simulated: it needs a GPU") DeviceMergeSort
#define DevicePartition \
  SIMULATOR_REFUSE(GCC error "cub::DevicePartition is not simulated: it needs a GPU") DevicePartition
#define DeviceRadixSort \
  SIMULATOR_REFUSE(GCC error "cub::DeviceRadixSort is not simulated: it needs a GPU") DeviceRadixSort
#define DeviceReduce \
  SIMULATOR_REFUSE(GCC error "cub::DeviceReduce is not simulated: it needs a GPU") DeviceReduce
#define DeviceRunLengthEncode                                                               \
  SIMULATOR_REFUSE(GCC error "cub::DeviceRunLengthEncode is not simulated: it needs a GPU") \
  DeviceRunLengthEncode
#define DeviceScan SIMULATOR_REFUSE(GCC error "cub::DeviceScan is not simulated: it needs a GPU") DeviceScan
#define DeviceSegmentedRadixSort                                                               \
  SIMULATOR_REFUSE(GCC error "cub::DeviceSegmentedRadixSort is not simulated: it needs a GPU") \
  DeviceSegmentedRadixSort
#define DeviceSegmentedReduce                                                               \
  SIMULATOR_REFUSE(GCC error "cub::DeviceSegmentedReduce is not simulated: it needs a GPU") \
  DeviceSegmentedReduce
#define DeviceSegmentedSort \
  SIMULATOR_REFUSE(GCC error "cub::DeviceSegmentedSort is not simulated: it needs a GPU") DeviceSegmentedSort
#define DeviceSelect \
  SIMULATOR_REFUSE(GCC error "cub::DeviceSelect is not simulated: it needs a GPU") DeviceSelect
#define DeviceTransform \
  SIMULATOR_REFUSE(GCC error "cub::DeviceTransform is not simulated: it needs a GPU") DeviceTransform
#define WarpExchange \
  SIMULATOR_REFUSE(GCC error "cub::WarpExchange is not simulated: it needs a GPU") WarpExchange
#define WarpLoad SIMULATOR_REFUSE(GCC error "cub::WarpLoad is not simulated: it needs a GPU") WarpLoad
#define WarpMergeSort \
  SIMULATOR_REFUSE(GCC error "cub::WarpMergeSort is not simulated: it needs a GPU") WarpMergeSort
#define WarpStore SIMULATOR_REFUSE(GCC error "cub::WarpStore is not simulated: it needs a GPU") WarpStore
