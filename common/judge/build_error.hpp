// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "facts/verdict.hpp"
#include "workbook/workbook.hpp"

namespace judge {

// Why a runner cannot be made of the student's file `source`, from what the tools printed: the first error in
// the student's names and lines.
facts::Finding build_error(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                           const std::string& source, facts::Backend backend, const std::string& output);

}  // namespace judge
