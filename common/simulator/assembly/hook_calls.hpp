// SPDX-License-Identifier: MIT
// Which calls of a unit's assembly report what a hook in their place can record (inlined_hooks.hpp).
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace simulator {

struct HookCall {
  enum Kind {
    block,       // a basic block begins
    load,        // a plain load, of an address in %rdi
    own_load,    // the same, and most likely of a variable of the function's own
    atomic_add,  // an addition of %edx to a word at %rsi, for all threads; the choice is in %edi
    entry,       // of a function, whose first basic block begins with the next call
    exit,
    index,         // gives a number of LaunchIndices
    thread_index,  // gives a coordinate of the running thread
    barrier,       // of the block, without a result
  } kind;
  unsigned bytes = 0;        // of an access
  bool may_add_zero = true;  // of an addition
  std::size_t offset = 0;    // of an index: in LaunchIndices, or in the running thread
  // The next call follows on every way, and nothing comes between the two that is recorded, faults or leads
  // elsewhere: both can be recorded there.
  bool goes_with_next = false;
  bool in_loop = false;
};

// By their lines. For x86-64, as g++ and clang write it.
std::map<std::size_t, HookCall> hook_calls_in(const std::vector<std::string_view>& lines);

}  // namespace simulator
