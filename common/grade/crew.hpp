// SPDX-License-Identifier: MIT
// The workers: a process for each submission, several at a time, each started again if the machine was at
// fault.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grade/grading.hpp"

namespace grade {

// Removes a folder with all that is in it, if it is there.
void remove_scratch(const std::string& folder);

// Judges the submissions with these names, and calls `step` after each. What it cannot judge because of the
// machine is among the report's faults. Of the report, counts and faults are filled in.
Report judge_all(const Settings& settings, const std::vector<std::string>& names,
                 const std::function<void(const Step&)>& step);

}  // namespace grade
