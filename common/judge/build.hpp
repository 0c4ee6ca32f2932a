// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "os/command.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// Brings files of the build folder up to date. One build at a time in a build folder: others wait. Throws
// std::system_error where the build folder cannot be written or the build tool cannot be started.
os::CommandResult build(const workbook::Workbook& workbook, const std::vector<std::string>& files);

// Builds a runner if it is not up to date. Nothing, or a finding `build_error` with the compiler's first
// error and its place. Throws as build() does.
std::optional<facts::Finding> build_runner(const workbook::Workbook& workbook,
                                           const workbook::ExerciseInfo& exercise, workbook::Tree tree,
                                           facts::Backend backend);

}  // namespace judge
