// SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "cli/progress.hpp"

namespace cli {

// The hints of a lab's file: paragraphs between lines that hold only "---", in the order in which they are given.
std::vector<std::string> read_hints(std::istream& text);

// The next hint for an exercise and its number, or why there is none; counted in `progress`. Throws MachineError where the lab
// has no hints.
std::string next_hint(const judge::Workbook& workbook, const judge::ExerciseInfo& exercise, ExerciseProgress& progress, bool again);

}  // namespace cli
