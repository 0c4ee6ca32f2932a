// SPDX-License-Identifier: MIT
// CUB's reductions, scans and histograms of a block, with its interface: results, and the memory that threads
// share, as CUB documents them. A block's TempStorage is shared memory that is written and read here, so that
// using it again without a barrier is the race that it is on a GPU. Everything is inlined: the places that
// reports name are the kernel's.
#pragma once

#include <utility>

#include "simulator/cuda/cub_warp.hpp"

#define SIMULATOR_INLINE __attribute__((always_inline)) inline

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace simulated {

// Room for values of T, without constructors: shared memory has none.
template <class T, int count>
struct Room {
  alignas(T) unsigned char bytes[sizeof(T) * count];

  SIMULATOR_INLINE T& operator[](unsigned index) { return reinterpret_cast<T*>(bytes)[index]; }
};

// No loop: whether one is unrolled, and so whether its accesses lie one right after the other, each compiler
// decides in its own way.
template <std::size_t... k, class Do>
SIMULATOR_INLINE void for_each(std::index_sequence<k...>, Do what) {
  (what(static_cast<unsigned>(k)), ...);
}

}  // namespace simulated

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
  // Laid out as CUB's, for the words that lie together are loaded together.
  struct TempStorage {
    simulated::Room<unsigned char, warps> of_reductions_of_warps;
    simulated::Room<T, warps> of_warps;
    simulated::Room<T, 1> prefix;
  };
  SIMULATOR_OWN_STORAGE(BlockReduce)

 public:
  template <class Operation>
  SIMULATOR_INLINE T Reduce(T value, Operation operation) {
    return reduced<true>(value, threads, operation);
  }
  template <class Operation>
  SIMULATOR_INLINE T Reduce(T value, Operation operation, int valid) {
    return reduced<false>(value, static_cast<unsigned>(valid), operation);
  }
  template <int items, class Operation>
  SIMULATOR_INLINE T Reduce(T (&values)[items], Operation operation) {
    return reduced<true>(simulated::reduced_items(values, operation), threads, operation);
  }
  SIMULATOR_INLINE T Sum(T value) { return Reduce(value, ::cuda::std::plus<>()); }
  SIMULATOR_INLINE T Sum(T value, int valid) { return Reduce(value, ::cuda::std::plus<>(), valid); }
  template <int items>
  SIMULATOR_INLINE T Sum(T (&values)[items]) {
    return Reduce(values, ::cuda::std::plus<>());
  }

 private:
  // `is_full`: all threads take part.
  template <bool is_full, class Operation>
  SIMULATOR_INLINE T reduced(T value, unsigned valid, Operation operation) {
    const unsigned first = rank_ / 32 * 32;
    value = simulated::reduced<32>(value, valid > first ? valid - first : 0, operation);
    if (rank_ % 32 == 0) storage_.of_warps[rank_ / 32] = value;
    __syncthreads();
    if (rank_ != 0) return value;
    if constexpr (is_full) return with_others(value, operation, std::make_index_sequence<warps - 1>());
    for (unsigned warp = 1; warp < warps && warp * 32 < valid; ++warp)
      value = operation(value, static_cast<const T&>(storage_.of_warps[warp]));
    return value;
  }

  // No loop, so that the warps' values are loaded one right after the other.
  template <class Operation, std::size_t... others>
  SIMULATOR_INLINE T with_others(T value, Operation operation, std::index_sequence<others...>) {
    if constexpr (sizeof...(others) > 0) {
      const T of_warps[] = {storage_.of_warps[others + 1]...};
      for (const T& of_warp : of_warps) value = operation(value, of_warp);
    }
    return value;
  }
};

// By scans of all warps, if that is asked for and all of them are full. Else by raking: each thread lays down
// its value, and each of the first warp goes through a segment of them.
template <class T, int block_x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int block_y = 1,
          int block_z = 1, int = 0>
class BlockScan {
  static constexpr unsigned threads = block_x * block_y * block_z, warps = (threads + 31) / 32;
  static constexpr bool by_warps = algorithm == BLOCK_SCAN_WARP_SCANS && threads % 32 == 0;
  static constexpr unsigned in_segment = warps, rakers = (threads + in_segment - 1) / in_segment;
  // In other banks than the segments before: an even number of values is followed by a place that is left
  // free.
  static constexpr unsigned free_places = in_segment % 2 == 0 && in_segment > 2 ? 1 : 0;

  struct StorageOfWarps {
    simulated::Room<T, warps> of_warps;
    simulated::Room<T, 1> prefix;
  };
  struct StorageOfRaking {
    simulated::Room<unsigned char, 1> of_warp;
    alignas(16) simulated::Room<T, rakers*(in_segment + free_places)> values;
    simulated::Room<T, 1> total;
  };

 public:
  using TempStorage = std::conditional_t<by_warps, StorageOfWarps, StorageOfRaking>;
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

  // The values before this thread's. Before all of them may come what `seed` makes of what is before the
  // first lanes' segments, and of the values up to their ends.
  template <class Operation, class Seed>
  SIMULATOR_INLINE Before raked(const T& value, Operation operation, Seed seed) {
    simulated::Segment<32> lanes;
    lanes.mask = 0xffffffffu >> (32 - rakers);
    const auto scanned = [&](const T& of_lane) __attribute__((always_inline)) {
      const T up_to = simulated::scanned<32>(of_lane, operation, lanes);
      Before all{lanes.value_of(up_to, rank_ > 0 ? rank_ - 1 : 0), rank_ > 0};
      seed(all, up_to, lanes);
      return all;
    };
    if constexpr (threads <= 32) return scanned(value);
    ::simulator::use_storage_of_block(&storage_, true);
    T& own = storage_.values[rank_ + rank_ / in_segment * free_places];
    own = value;
    __syncthreads();
    if (rank_ < rakers) {
      T* const segment = &storage_.values[rank_ * (in_segment + free_places)];
      const unsigned left = threads - rank_ * in_segment;
      const unsigned there = threads % rakers == 0 || left > in_segment ? in_segment : left;
      T values[in_segment];
      simulated::for_each(
          std::make_index_sequence<in_segment>(), [&](unsigned k) __attribute__((always_inline)) {
            if (k < there) values[k] = segment[k];
          });
      T all_of_segment = values[0];
      for (unsigned k = 1; k < in_segment; ++k)
        if (k < there) all_of_segment = operation(all_of_segment, values[k]);
      const Before all = scanned(all_of_segment);
      T up_to = joined(all, values[0], operation);
      segment[0] = all.value;
      simulated::for_each(
          std::make_index_sequence<in_segment - 1>(), [&](unsigned before) __attribute__((always_inline)) {
            if (before + 1 >= there) return;
            segment[before + 1] = up_to;
            up_to = operation(up_to, values[before + 1]);
          });
    }
    __syncthreads();
    ::simulator::use_storage_of_block(&storage_, false);
    return {own, rank_ > 0};
  }

  template <class Operation>
  SIMULATOR_INLINE Before before(const T& value, Operation operation) {
    if constexpr (by_warps) {
      T total;
      return before_by_warps(value, operation, total);
    } else {
      return raked(value, operation, [](const Before&, const T&, const simulated::Segment<32>&) {});
    }
  }

  // And all of them in `total`.
  template <class Operation>
  SIMULATOR_INLINE Before before(const T& value, Operation operation, T& total) {
    if constexpr (by_warps) {
      return before_by_warps(value, operation, total);
    } else {
      const auto leave_total = [&](const Before&, const T& up_to, const simulated::Segment<32>& lanes)
          __attribute__((always_inline)) {
        if constexpr (threads <= 32) {
          total = lanes.value_of(up_to, threads - 1);
        } else if (rank_ == rakers - 1) {
          storage_.total[0] = up_to;
        }
      };
      const Before result = raked(value, operation, leave_total);
      if constexpr (threads > 32) total = storage_.total[0];
      return result;
    }
  }

  template <class Operation>
  SIMULATOR_INLINE Before before_by_warps(const T& value, Operation operation, T& total) {
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
    if constexpr (by_warps) {
      T total;
      const Before in_block = before_by_warps(value, operation, total);
      if (rank_ < 32) {
        const T prefix = prefix_of(total);
        if (rank_ == 0) storage_.prefix[0] = prefix;
      }
      __syncthreads();
      const T prefix = storage_.prefix[0];
      return {in_block.is_there ? operation(prefix, in_block.value) : prefix, true};
    } else {
      const auto put_in_front = [&](Before & all, const T& up_to, const simulated::Segment<32>& lanes)
          __attribute__((always_inline)) {
        const T total = lanes.value_of(up_to, rakers - 1);
        const T prefix = lanes.value_of(T(prefix_of(total)), 0);
        all = {all.is_there ? operation(prefix, all.value) : prefix, true};
      };
      return {raked(value, operation, put_in_front).value, true};
    }
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

  template <int items, class Operation>
  static SIMULATOR_INLINE void scan_from(const T& initial, const Before& all, T (&values)[items],
                                         T (&results)[items], bool inclusive, Operation operation) {
    scan_items({all.is_there ? operation(initial, all.value) : initial, true}, values, results, inclusive,
               operation);
  }

 public:
  // Operators first, then sums; each for one value and for several in a row.
  template <class Operation>
  SIMULATOR_INLINE void InclusiveScan(T value, T& result, Operation operation) {
    result = joined(before(value, operation), value, operation);
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
    scan_items(before(simulated::reduced_items(values, operation), operation), values, results, true,
               operation);
  }
  template <int items, class Operation>
  SIMULATOR_INLINE void InclusiveScan(T (&values)[items], T (&results)[items], Operation operation,
                                      T& total) {
    scan_items(before(simulated::reduced_items(values, operation), operation, total), values, results, true,
               operation);
  }
  // From an initial value on; the total is without it.
  template <int items, class Operation>
  SIMULATOR_INLINE void InclusiveScan(T (&values)[items], T (&results)[items], T initial,
                                      Operation operation) {
    scan_from(initial, before(simulated::reduced_items(values, operation), operation), values, results, true,
              operation);
  }
  template <int items, class Operation>
  SIMULATOR_INLINE void InclusiveScan(T (&values)[items], T (&results)[items], T initial, Operation operation,
                                      T& total) {
    scan_from(initial, before(simulated::reduced_items(values, operation), operation, total), values, results,
              true, operation);
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
    const Before all = before(value, operation);
    result = all.is_there ? all.value : T{};
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, Operation operation, T& total) {
    const Before all = before(value, operation, total);
    result = all.is_there ? all.value : T{};
  }
  template <class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T value, T& result, T initial, Operation operation) {
    const Before all = before(value, operation);
    result = all.is_there ? operation(initial, all.value) : initial;
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
    scan_from(initial, before(simulated::reduced_items(values, operation), operation), values, results, false,
              operation);
  }
  template <int items, class Operation>
  SIMULATOR_INLINE void ExclusiveScan(T (&values)[items], T (&results)[items], T initial, Operation operation,
                                      T& total) {
    scan_from(initial, before(simulated::reduced_items(values, operation), operation, total), values, results,
              false, operation);
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
