// SPDX-License-Identifier: MIT
// The calls that the compiler's instrumentation makes in a unit's assembly, by their names: which accesses
// they report, and which calls leave the caller's variables and reports alone.
#pragma once

#include <optional>
#include <string_view>

#include "simulator/assembly/x86_assembly.hpp"

namespace simulator::x86 {

// An access that the instrumentation reports.
struct Hook {
  int bytes;  // 0: in the second argument
  bool writes;
};

// nullopt: not a call that reports an access.
std::optional<Hook> hook_named(std::string_view name);

// A call that reports that a basic block begins.
bool reports_block(const Instruction& i);

// Calls of the instrumentation that leave the caller's variables alone.
bool leaves_frame_alone(std::string_view name);

// Functions that only compute, so that the compiler may move an access from its hook to behind a call of
// them: arithmetic that the processor lacks (__popcountdi2), CUDA's intrinsics (_Z8__umulhijj), and where a
// thread is.
bool only_computes(std::string_view name);

}  // namespace simulator::x86
