// SPDX-License-Identifier: MIT
// The tree that students get: it configures, builds and judges as the instructor's does, and holds no right
// answer: no solutions, no submissions and kernels of the tests, no history.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workbook/workbook.hpp"

namespace grade {

// What students write in a solution, between its markers: parts of `least` lines or more, blank lines and
// comments aside.
std::vector<std::string> marked_parts(std::string_view solution, std::size_t least = 3);

struct Handout {
  std::size_t files = 0;
  std::vector<std::string> left_out;  // beyond what is never handed out: files that hold a part of a solution
};

// Makes the tree in `folder`, which has to be empty or missing. Throws facts::UsageError if it is not, or
// lies in the tree itself; facts::MachineError if something cannot be read or written.
Handout make_handout(const workbook::Workbook& workbook, const std::string& folder);

}  // namespace grade
