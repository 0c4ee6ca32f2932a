// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "facts/verdict.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// Builds a runner if it is not up to date. Nothing, or a finding `build_error` with the compiler's first
// error and its place. Throws as the functions of
// build/runner.hpp do, and std::system_error where the disk is full.
std::optional<facts::Finding> build_runner(const workbook::Workbook& workbook,
                                           const workbook::ExerciseInfo& exercise, workbook::Tree tree,
                                           facts::Backend backend);

}  // namespace judge
