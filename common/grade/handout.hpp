// SPDX-License-Identifier: MIT
// The tree that students get: it configures, builds and judges as the instructor's does, and holds no right
// answer: no solutions, no submissions and kernels of the tests, no history.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "workbook/workbook.hpp"

namespace grade {

// What students write in a solution, between its markers: parts of `least` lines or more, blank lines and
// comments aside.
std::vector<std::string> marked_parts(std::string_view solution, std::size_t least = 3);

// Lines of solutions that say something by themselves, as they are looked for in documents: by their tokens.
class SolutionLines {
 public:
  void add_all_of(std::string_view part);
  bool holds(std::string_view line) const;

 private:
  std::set<std::string> lines_;
};

// A document in Markdown as students get it. Left out are comments, and what stands between the lines
// <!-- solutions --> and <!-- /solutions -->; of blocks of code, the text of a line that a solution holds
// ("17 | ..."); and commands are those of a tree without solutions: no --solution, build/labs for
// build/solutions.
std::string document_for_students(std::string_view text, const SolutionLines& lines);

struct Handout {
  std::size_t files = 0;
  std::vector<std::string> left_out;  // beyond what is never handed out: files that hold a part of a solution
};

// Makes the tree in `folder`, which has to be empty or missing. Throws facts::UsageError if it is not, or
// lies in the tree itself; facts::MachineError if something cannot be read or written.
Handout make_handout(const workbook::Workbook& workbook, const std::string& folder);

}  // namespace grade
