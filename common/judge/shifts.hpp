// SPDX-License-Identifier: MIT
// Undefined shifts. The compiler's checks of shifts would be counted as if they were the kernel's, so they
// are in a runner of their own, which is made of files with a shift by an amount that is no number, and runs
// a few short cases.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "judge/case.hpp"
#include "judge/runner_session.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// Whether a number is shifted by another amount than a number.
bool has_variable_shift(std::string_view text);

// The target that is compiled with checks of shifts.
workbook::Target with_checked_shifts(workbook::Target target);

struct UndefinedShift {
  Case what;
  facts::Finding finding;
};

// The first that the runner of `settings` meets; nullopt if there is none, or there is no such runner.
std::optional<UndefinedShift> undefined_shift(const RunnerSettings& settings,
                                              const problems::Reference& reference, std::uint64_t seed);

}  // namespace judge
