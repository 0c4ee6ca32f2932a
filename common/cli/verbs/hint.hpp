// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace cli {

// The hints of a lab's file: paragraphs between lines that hold only "---", in the order in which they are
// given.
std::vector<std::string> read_hints(const std::string& text);

// The next hint for an exercise, which is remembered as shown, or that all were; `again`: from the first.
// Ends with a line end. Throws MachineError where there are none.
std::string next_hint(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                      bool again = false);

}  // namespace cli
