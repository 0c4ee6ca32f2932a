// SPDX-License-Identifier: MIT
// How fast a submission's kernel is beside the solution, on a GPU, where points are given for it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "judge/runner_session.hpp"
#include "workbook/workbook.hpp"

namespace grade {

// Throws facts::UsageError where there is nothing to compare with, and facts::MachineError where no GPU can
// be used.
void require_speed(const workbook::Workbook& workbook);

// Makes the runners of the solutions. Throws facts::MachineError.
void build_solutions(const std::vector<workbook::ExerciseInfo>& exercises);

// The key "speed" of an exercise's document (docs/grading.md): both times and, as `share`, the part of the
// solution's speed that is reached, from 0 to 1. The two kernels take turns on one input, which is made from
// the seed. Throws facts::MachineError where the solution has no time.
nlohmann::ordered_json measured_speed(const workbook::ExerciseInfo& exercise, judge::RunnerSettings submitted,
                                      std::uint64_t seed);

// The same of a kernel that has no time, and why.
nlohmann::ordered_json no_speed(const std::string& message);

// What was measured of the exercise, in a sentence for the student's page; empty: nothing.
std::string speed_text(const nlohmann::ordered_json& exercise);

}  // namespace grade
