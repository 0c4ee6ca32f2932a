// SPDX-License-Identifier: MIT
// Wrong results that come of a shuffle which reads from a lane that does not take part.
#pragma once

#include <string>
#include <vector>

#include "judge/case.hpp"

namespace judge {

// Gives a wrong answer without a place such a shuffle as its place and its reason: one of the first case that
// failed, if no case that passed has it, for what a kernel reads and never uses does no harm.
void add_absent_source(facts::Finding& wrong, const std::vector<CaseResult>& cases,
                       const std::string& program);

// Leaves out of the notes what has become the reason for such a wrong answer.
void leave_out_reasons(std::vector<facts::Finding>& notes, const std::vector<facts::Finding>& found);

}  // namespace judge
