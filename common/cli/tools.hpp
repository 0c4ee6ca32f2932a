// SPDX-License-Identifier: MIT
// The CUDA Toolkit's programs that work on runners, and which of them a check on a GPU offers.
#pragma once

#include <string>

#include "judge/check.hpp"

namespace cli {

// The path of a program: on PATH, beside nvcc, in the CUDA Toolkit's usual folder, or in the newest of Nsight
// Compute's; for ncu the variable NCU comes first. Empty if it is not found.
std::string find_tool(const std::string& name);

// A GPU has no checkers. Where what it found may have one of the causes that compute-sanitizer sees, a line
// with the command that looks for it, in the case that failed: "  or, for races in shared memory:
// compute-sanitizer --tool racecheck ...". Empty where there is none to offer. `sanitizer`: how it is called;
// `runner`: the exercise's on the GPU.
std::string sanitizer_offer(const judge::CheckReport& report, const std::string& sanitizer,
                            const std::string& runner);

}  // namespace cli
