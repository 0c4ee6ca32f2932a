// SPDX-License-Identifier: MIT
// Loops whose turns a compiler can count: what it works out by itself where it unrolls them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/assembly/x86_assembly.hpp"
#include "simulator/unrolling.hpp"

namespace simulator::x86 {

// A line of a unit's text.
struct CodeLine {
  std::string label;  // that it is
  std::optional<Instruction> instruction;
  bool folds = false;
  unsigned turns_as_one = 0;  // of a jump of a loop: what the source asks for (loop_pragmas.hpp); 0: nothing
  bool is_unrolled = false;   // of a loop from a constant to a constant
  bool is_counted = false;    // of a loop that goes on by a constant to an unknown end
  Unrolling unrolling = Unrolling::none;  // of such a loop of one basic block that only loads and stores
};

// What each line is, and which instructions a compiler works out by itself.
std::vector<CodeLine> code_with_folded_loops(const std::vector<std::string_view>& lines);

}  // namespace simulator::x86
