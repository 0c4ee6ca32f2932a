// SPDX-License-Identifier: MIT
#include "judge/reruns.hpp"

#include "judge/check.hpp"

namespace judge {

unsigned SessionReruns::usual_times() const { return facts::traits_of(backend_).evidence_runs; }

bool SessionReruns::is_guarded() const { return facts::traits_of(backend_).guarded; }

std::optional<std::vector<facts::Output>> SessionReruns::run(const Case& what, const problems::Input& input,
                                                             unsigned times) {
  return run_in(session_, what, input, times);
}

std::optional<facts::Output> SessionReruns::run_afresh(const Case& what, const problems::Input& input) {
  RunnerSession fresh(settings_);
  if (lost_ || start_session(fresh)) return std::nullopt;
  const auto outputs = run_in(fresh, what, input, 1);
  return outputs ? std::optional(outputs->front()) : std::nullopt;
}

std::optional<std::vector<facts::Output>> SessionReruns::run_in(RunnerSession& session, const Case& what,
                                                                const problems::Input& input,
                                                                unsigned times) {
  if (lost_) return std::nullopt;
  CaseResult result = judge_case(session, settings_.program, reference_, what, input, times);
  const bool answered =
      result.findings.empty() || result.findings.front().verdict == facts::Verdict::wrong_answer;
  if (answered && !result.left_out) return std::move(result.answer->outputs);
  lost_ = !result.answer || result.answer->failure;
  std::erase_if(result.findings, [](const facts::Finding& finding) {
    return finding.verdict == facts::Verdict::wrong_answer;
  });
  troubled_.push_back(std::move(result));
  return std::nullopt;
}

}  // namespace judge
