// SPDX-License-Identifier: MIT
#include "judge/absent_lanes.hpp"

#include <fmt/core.h>

#include "judge/reasons_in_notes.hpp"

namespace judge {

namespace {

void describe_own_value(facts::Finding& finding, const facts::Observation& note, const std::string& program) {
  if (finding.verdict != facts::Verdict::wrong_answer) {
    finding.message += "\n  this happens only if the shuffle gives a lane its own value";
    return;
  }
  finding.diagnosis = "not_deterministic";
  finding.message = fmt::format(
      "the result depends on a value that is not defined\n"
      "  right by luck; if the shuffle gives a lane its own value: {}",
      finding.message);
  add_absent_source(finding, note, program);
}

}  // namespace

std::optional<CaseResult> fails_with_own_values(RunnerSession& session, const std::string& program,
                                                const problems::Reference& reference,
                                                const std::vector<CaseResult>& passed, std::uint64_t seed) {
  for (const CaseResult& known : passed) {
    const facts::Observation* const note = known.answer ? absent_source_in(known.answer->notes) : nullptr;
    if (!note) continue;
    const Case& what = known.what;
    const auto input = reference.problem().make_input(what.input, what.variant, what.length, seed);
    session.input().write(*input);
    runner::RunRequest request{
        .variant = what.variant, .length = what.length, .misalignment = what.misalignment};
    request.options.absent_lanes_echo = true;
    CaseResult result = judged_run(session, program, reference, request,
                                   reference.expected(what.variant, *input, 0, what.length));
    result.what = what;
    if (!result.answer || result.findings.empty()) continue;
    for (facts::Finding& finding : result.findings) describe_own_value(finding, *note, program);
    return result;
  }
  return std::nullopt;
}

}  // namespace judge
