// SPDX-License-Identifier: MIT
// Right answers, but are they come by as the lab teaches? The simulator alone can tell.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "judge/case.hpp"
#include "problems/reference.hpp"
#include "workbook/workbook.hpp"

namespace judge {

struct TechniqueResult {
  std::optional<problems::TechniqueFault> fault;  // the first rule that is not kept
  std::vector<CaseResult> failed;                 // cases that were run for it, and did not pass
};

// `cases`: those that have been judged, of which each that recorded its conduct is not run again. `run` runs
// another one so that it does.
TechniqueResult judge_technique(RunnerSession& session, const std::string& program,
                                const problems::Reference& reference, const workbook::ExerciseInfo& exercise,
                                std::uint64_t seed, const std::vector<CaseResult>& cases,
                                const std::function<CaseResult(const Case&)>& run);

}  // namespace judge
