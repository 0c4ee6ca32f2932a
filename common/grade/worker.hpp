// SPDX-License-Identifier: MIT
// Judges one submission, in a process of its own: what goes wrong there concerns this submission alone, and
// its memory is gone with it.
#pragma once

#include <string>

#include "grade/settings.hpp"

namespace grade {

// What a worker's process exits with.
enum class Outcome { judged = 0, unchanged = 10, fault = 3 };

// Judges the submission `name` and writes its result, unless there is one already that was made from the same
// files in the same way. Files that a submission's runner is made of lie in `scratch`, which may be removed
// then. `judge_version`: what tells one judge from another. Throws facts::MachineError and std::system_error
// where the machine is at fault.
Outcome judge_submission(const Settings& settings, const std::string& name, const std::string& scratch,
                         const std::string& judge_version);

}  // namespace grade
