// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "judge/workbook.hpp"
#include "os/command.hpp"

namespace judge {

// Brings files of the build folder up to date. One build at a time in a build folder: others wait. Throws
// std::system_error where the build folder cannot be written or the build tool cannot be started.
os::CommandResult build(const Workbook& workbook, const std::vector<std::string>& files);

// Builds a runner if it is not up to date. Nothing, or a finding `build_error` with the compiler's first
// error and its place. Throws as build() does.
std::optional<facts::Finding> build_runner(const Workbook& workbook, const ExerciseInfo& exercise, Tree tree,
                                           Backend backend);

}  // namespace judge
