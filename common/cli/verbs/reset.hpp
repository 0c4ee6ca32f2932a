// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "workbook/workbook.hpp"

namespace cli {

// Puts the skeleton in the place of the student's file, which is kept beside it. Returns what was done, in
// one line. Throws MachineError where that cannot be; then everything is as it was.
std::string bring_back(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise);

}  // namespace cli
