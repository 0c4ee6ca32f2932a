// SPDX-License-Identifier: MIT
// Barriers, and the operations in which the lanes of a warp exchange values. The lanes named by a mask meet:
// each waits until all of them have come, then each gets its result.
#pragma once

#include <cstdint>
#include <type_traits>

// Calls in two branches stay two, for their places tell the branches apart; clang would make one of them,
// behind both branches. And one call stays one: clang would copy it, with what stands before a second branch
// on the same condition, into both paths.
#if defined(__clang__)
#define SIMULATOR_NOT_MERGED __attribute__((nomerge, convergent))
#else
#define SIMULATOR_NOT_MERGED
#endif

namespace simulator {

enum class WarpOperation : std::uint8_t {
  sync,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  ballot,
  match_any,
  match_all,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_and,
  reduce_or,
  reduce_xor,
  reduce_min_signed,
  reduce_max_signed,
};

// Tells whose storage of CUB's it is now: that of the logical warp whose first thread has this number in the
// block. Another one that uses it before the next barrier of the block is a race.
void use_storage_of_warp(const void* storage, unsigned first_thread);
// The same of one that all threads of the block use, in front of the first access to it and behind the last.
void use_storage_of_block(const void* storage, bool begins);

// The running lane's part in a warp operation. `value`: what it brings; `argument` and `width`: source lane,
// delta or lane mask of a shuffle and the width of its segments; `bytes`: the size of the value. Returns the
// lane's result.
SIMULATOR_NOT_MERGED std::uint64_t warp_operation(WarpOperation operation, unsigned mask, std::uint64_t value,
                                                  int argument = 0, int width = 32, unsigned bytes = 4);

enum class BarrierReduction : std::uint8_t { none, count, all, any };

// The running thread's part in a barrier of its block.
SIMULATOR_NOT_MERGED void block_barrier();
SIMULATOR_NOT_MERGED int block_barrier(BarrierReduction reduction, bool predicate);

// The lanes that are at this place together with the running lane.
SIMULATOR_NOT_MERGED unsigned active_mask();

// A warp operation on a value's bits. Inlined, for the place of the call is the one that a report names.
template <class T>
__attribute__((always_inline)) inline std::uint64_t operate(WarpOperation operation, unsigned mask, T value,
                                                            int argument = 0, int width = 32) {
  static_assert(std::is_arithmetic_v<T> && sizeof(T) <= 8,
                "a warp operation takes a value of at most 8 bytes");
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return warp_operation(operation, mask, bits, argument, width, sizeof(T));
}

template <class T>
__attribute__((always_inline)) inline T shuffle(WarpOperation operation, unsigned mask, T value, int argument,
                                                int width) {
  const std::uint64_t bits = operate(operation, mask, value, argument, width);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

// CUDA shuffles and compares numbers of 4 and 8 bytes: smaller ones, and enumerators, are promoted to int, as
// in arithmetic, and so is the result of a shuffle.
template <class T,
          bool is_promoted = std::is_arithmetic_v<T> || (std::is_enum_v<T> && std::is_convertible_v<T, int>)>
struct Lane {
  using type = T;
};
template <class T>
struct Lane<T, true> {
  using type = decltype(+T{});
};

}  // namespace simulator

// clang may copy calls of these before it has found in them what it may not copy.
#define SIMULATOR_INLINE SIMULATOR_NOT_MERGED __attribute__((always_inline)) inline

SIMULATOR_INLINE void __syncthreads() { ::simulator::block_barrier(); }
SIMULATOR_INLINE int __syncthreads_count(int predicate) {
  return ::simulator::block_barrier(::simulator::BarrierReduction::count, predicate != 0);
}
SIMULATOR_INLINE int __syncthreads_and(int predicate) {
  return ::simulator::block_barrier(::simulator::BarrierReduction::all, predicate != 0);
}
SIMULATOR_INLINE int __syncthreads_or(int predicate) {
  return ::simulator::block_barrier(::simulator::BarrierReduction::any, predicate != 0);
}
SIMULATOR_INLINE void __syncwarp(unsigned mask = 0xffffffffu) {
  ::simulator::warp_operation(::simulator::WarpOperation::sync, mask, 0);
}
SIMULATOR_INLINE unsigned __activemask() { return ::simulator::active_mask(); }

template <class T, class Value = typename ::simulator::Lane<T>::type>
SIMULATOR_INLINE Value __shfl_sync(unsigned mask, T value, int source_lane, int width = 32) {
  return ::simulator::shuffle<Value>(::simulator::WarpOperation::shuffle, mask, value, source_lane, width);
}
template <class T, class Value = typename ::simulator::Lane<T>::type>
SIMULATOR_INLINE Value __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return ::simulator::shuffle<Value>(::simulator::WarpOperation::shuffle_up, mask, value,
                                     static_cast<int>(delta), width);
}
template <class T, class Value = typename ::simulator::Lane<T>::type>
SIMULATOR_INLINE Value __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return ::simulator::shuffle<Value>(::simulator::WarpOperation::shuffle_down, mask, value,
                                     static_cast<int>(delta), width);
}
template <class T, class Value = typename ::simulator::Lane<T>::type>
SIMULATOR_INLINE Value __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  return ::simulator::shuffle<Value>(::simulator::WarpOperation::shuffle_xor, mask, value, lane_mask, width);
}

SIMULATOR_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(
      ::simulator::warp_operation(::simulator::WarpOperation::ballot, mask, predicate != 0));
}
SIMULATOR_INLINE int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
SIMULATOR_INLINE int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

template <class T, class Value = typename ::simulator::Lane<T>::type>
SIMULATOR_INLINE unsigned __match_any_sync(unsigned mask, T value) {
  return static_cast<unsigned>(
      ::simulator::operate<Value>(::simulator::WarpOperation::match_any, mask, value));
}
template <class T, class Value = typename ::simulator::Lane<T>::type>
SIMULATOR_INLINE unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
  const auto equal =
      static_cast<unsigned>(::simulator::operate<Value>(::simulator::WarpOperation::match_all, mask, value));
  *predicate = equal != 0;
  return equal;
}

// `name(mask, value)`: every lane of the mask gets the reduction over all lanes of the mask.
#define SIMULATOR_REDUCE(name, operation, type)                                                       \
  SIMULATOR_INLINE type name(unsigned mask, type value) {                                             \
    return static_cast<type>(::simulator::warp_operation(::simulator::WarpOperation::operation, mask, \
                                                         static_cast<std::uint32_t>(value)));         \
  }
SIMULATOR_REDUCE(__reduce_add_sync, reduce_add, unsigned)
SIMULATOR_REDUCE(__reduce_add_sync, reduce_add, int)
SIMULATOR_REDUCE(__reduce_min_sync, reduce_min, unsigned)
SIMULATOR_REDUCE(__reduce_min_sync, reduce_min_signed, int)
SIMULATOR_REDUCE(__reduce_max_sync, reduce_max, unsigned)
SIMULATOR_REDUCE(__reduce_max_sync, reduce_max_signed, int)
SIMULATOR_REDUCE(__reduce_and_sync, reduce_and, unsigned)
SIMULATOR_REDUCE(__reduce_or_sync, reduce_or, unsigned)
SIMULATOR_REDUCE(__reduce_xor_sync, reduce_xor, unsigned)

#undef SIMULATOR_REDUCE
#undef SIMULATOR_INLINE
#undef SIMULATOR_NOT_MERGED
