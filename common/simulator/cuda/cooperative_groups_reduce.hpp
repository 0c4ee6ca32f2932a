// SPDX-License-Identifier: MIT
// <cooperative_groups/reduce.h> and <cooperative_groups/scan.h>: over tiles and coalesced threads, by
// shuffles.
#pragma once

#include "simulator/cuda/cooperative_groups.hpp"

#define SIMULATOR_INLINE __attribute__((always_inline)) inline

namespace cooperative_groups {

#define SIMULATOR_OPERATOR(name, expression)                                           \
  template <class T>                                                                   \
  struct name {                                                                        \
    SIMULATOR_INLINE T operator()(const T& a, const T& b) const { return expression; } \
  };
SIMULATOR_OPERATOR(plus, a + b)
SIMULATOR_OPERATOR(less, b < a ? b : a)
SIMULATOR_OPERATOR(greater, a < b ? b : a)
SIMULATOR_OPERATOR(bit_and, a& b)
SIMULATOR_OPERATOR(bit_or, a | b)
SIMULATOR_OPERATOR(bit_xor, a ^ b)
#undef SIMULATOR_OPERATOR

// Every thread of the group gets operation(values of all of them).
template <unsigned Size, class Parent, class T, class Operation>
SIMULATOR_INLINE T reduce(const thread_block_tile<Size, Parent>& group, T value, Operation&& operation) {
  for (unsigned offset = Size / 2; offset > 0; offset /= 2)
    value = operation(value, group.shfl_xor(value, offset));
  return value;
}
template <class T, class Operation>
SIMULATOR_INLINE T reduce(const coalesced_group& group, T value, Operation&& operation) {
  const unsigned rank = group.thread_rank(), threads = group.num_threads();
  for (unsigned offset = 1; offset < threads; offset *= 2) {
    const T other = group.shfl_down(value, offset);
    if (rank % (2 * offset) == 0 && rank + offset < threads) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

// operation(values of the threads up to this one)
template <class Group, class T, class Operation>
SIMULATOR_INLINE T inclusive_scan(const Group& group, T value, Operation&& operation) {
  const unsigned rank = group.thread_rank(), threads = group.num_threads();
  for (unsigned offset = 1; offset < threads; offset *= 2) {
    const T other = group.shfl_up(value, offset);
    if (rank >= offset) value = operation(other, value);
  }
  return value;
}
template <class Group, class T>
SIMULATOR_INLINE T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

// operation(values of the threads before this one); T{} for the first
template <class Group, class T, class Operation>
SIMULATOR_INLINE T exclusive_scan(const Group& group, T value, Operation&& operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
SIMULATOR_INLINE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#undef SIMULATOR_INLINE
