// SPDX-License-Identifier: MIT
// Launches with more threads in a block than the kernel's __launch_bounds__ allows. A GPU refuses them: the
// kernel was given more registers than so many threads have. To the simulator's compiler the bound is
// nothing.
#pragma once

#include <optional>
#include <string>

#include "judge/case.hpp"
#include "judge/source_structure.hpp"
#include "problems/problem.hpp"

namespace judge {

using LaunchBound = SourceStructure::LaunchBound;

// Of the kernel in the student's file; nullopt where none is known.
std::optional<LaunchBound> launch_bound_in(const std::string& source, const problems::Problem& problem);

// A case whose blocks are larger has no other finding than that: on a GPU it does not run.
void refuse_beyond(const std::optional<LaunchBound>& bound, CaseResult& result);

}  // namespace judge
