// SPDX-License-Identifier: MIT
// Gathers what a diagnosis is told from: runs of the exercise on inputs that the judge chooses once counts
// were wrong. They are some dozens, none longer than the case that failed (or than 2^14 bytes); from 2^30
// bytes on it is run once more.
#pragma once

#include <cstdint>
#include <vector>

#include "judge/case.hpp"
#include "judge/diagnosis.hpp"
#include "judge/runner_session.hpp"
#include "workbook/workbook.hpp"

namespace judge {

struct Gathered {
  std::vector<Evidence> evidence;    // under the binning of the case that failed; then under the others
  std::vector<CaseResult> troubled;  // runs that ended in something else than counts: evidence of its own
};

// `failed`: a case with an answer and wrong counts; `session`: the one in which it ran.
Gathered gather_evidence(RunnerSession& session, const RunnerSettings& settings, const CaseResult& failed,
                         facts::Backend backend, std::uint64_t seed);

}  // namespace judge
