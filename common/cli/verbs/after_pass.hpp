// SPDX-License-Identifier: MIT
// What a student is told after the verdict: predictions against what came out, what changed since the lab
// before, and the solution to compare with.
#pragma once

#include <string>

#include "judge/check.hpp"

namespace cli {

// After a check of the student's own file; empty unless it passed. Keeps the counters that later labs are
// compared with, and the outcomes of predictions. `on` is what was asked for: the GPU is left alone where
// that is the simulator.
std::string after_pass_text(const judge::CheckReport& report, const std::string& on);

// The counters that differ by more than a tenth, as a table with a line each, in the order in which counters
// are shown; empty where there are none. `before_name` and `name` are short names of exercises.
std::string changed_counters(const facts::Counters& before, const std::string& before_name,
                             const facts::Counters& now, const std::string& name);

}  // namespace cli
