// SPDX-License-Identifier: MIT
// Undefined shifts, and indices outside of arrays whose ends the simulator does not see: a thread's own, and
// members of structs. The compiler's checks of them would be counted as if they were the kernel's, so they
// are in a runner of their own, which is made of files with such an array or a shift by an amount that is no
// number, and runs a few short cases.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/case.hpp"
#include "judge/runner_session.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// Whether a number is shifted by another amount than a number.
bool has_variable_shift(std::string_view text);

// The arguments with which the compiler checks what a file has of these; empty if it has nothing of the kind.
std::vector<std::string> checks_for(std::string_view text);

// The target that is compiled with these checks.
workbook::Target with_checked_operations(workbook::Target target);

struct UndefinedOperation {
  Case what;
  facts::Finding finding;
  bool may_be_meant = false;  // an element of the next row, which is right where that is meant
};

// The first that the runner of `settings` meets, before all that may be meant; nullopt if there is none, or
// there is no such runner.
std::optional<UndefinedOperation> undefined_operation(const RunnerSettings& settings,
                                                      const problems::Reference& reference,
                                                      std::uint64_t seed);

}  // namespace judge
