// SPDX-License-Identifier: MIT
// What a compiler works out by itself that unrolls each loop whose turns it knows: of the instructions of
// g++, which keeps such loops, those that nvcc does not have.
#pragma once

#include <vector>

#include "simulator/assembly/control_flow.hpp"

namespace simulator::x86 {

struct KnownCode {
  // By instruction: its result is a constant, or it is a branch by constants.
  std::vector<bool> folds = {};
  // By instruction: it is a branch, and nothing known decides which way it goes.
  std::vector<bool> is_open = {};
  // By instruction: where a compiler unrolls the loops whose turns it knows, it is in one basic block with
  // what is in front of it in its loop, or in the turn before.
  std::vector<bool> is_unrolled = {};
  // By instruction: it is in such a loop, also where it is in a basic block of its own.
  std::vector<bool> has_known_turns = {};
};

// A loop ends with a constant, too, if it ends a constant behind where it began, wherever that is: a pointer
// from `begin` to `begin + 8`.
KnownCode known_code(const FunctionCode& function);

}  // namespace simulator::x86
