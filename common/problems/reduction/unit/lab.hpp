// SPDX-License-Identifier: MIT
// What a reduction lab's file includes.
//
//   Operator           the kernel's template parameter: Operator::value is the type of the elements,
//                      Operator::combine(a, b) makes one of two, and Operator::identity() changes nothing
//   shuffle_down(mask, value, offset)
//                      the value of the lane that is `offset` lanes further on, for values of any size; all
//                      lanes of the mask have to call it together
//   LaunchShape, multiprocessors(), resident_blocks(...)
//                      see runner/device.hpp
#pragma once

#include "problems/reduction/unit/operators.hpp"
#include "runner/device.hpp"

// Word by word, as __shfl_down_sync takes one word at a time. A lane beyond which there is none gets its own
// value back.
template <class Value>
__device__ __forceinline__ Value shuffle_down(unsigned mask, Value value, unsigned offset) {
  static_assert(sizeof(Value) % sizeof(unsigned) == 0, "a value is made of whole words");
  unsigned words[sizeof(Value) / sizeof(unsigned)];
  __builtin_memcpy(words, &value, sizeof(Value));
  for (unsigned& word : words) word = __shfl_down_sync(mask, word, offset);
  __builtin_memcpy(&value, words, sizeof(Value));
  return value;
}
