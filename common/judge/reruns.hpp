// SPDX-License-Identifier: MIT
// Further runs of an exercise whose answer was wrong, over inputs that its problem chooses.
#pragma once

#include <cstdint>
#include <vector>

#include "judge/case.hpp"
#include "judge/runner_session.hpp"
#include "problems/reference.hpp"

namespace judge {

class SessionReruns final : public problems::Reruns {
 public:
  // `session`: the one in which the case failed.
  SessionReruns(RunnerSession& session, const RunnerSettings& settings, const problems::Reference& reference,
                facts::Backend backend, std::uint64_t seed)
      : session_(session), settings_(settings), reference_(reference), backend_(backend), seed_(seed) {}

  std::optional<std::vector<facts::Output>> run(const Case& what, const problems::Input& input,
                                                unsigned times) override;
  std::optional<facts::Output> run_afresh(const Case& what, const problems::Input& input) override;
  std::uint64_t seed() const override { return seed_; }
  unsigned usual_times() const override;
  bool is_guarded() const override;

  // Runs that ended in something else than an answer: evidence of its own.
  const std::vector<CaseResult>& troubled() const { return troubled_; }

 private:
  std::optional<std::vector<facts::Output>> run_in(RunnerSession& session, const Case& what,
                                                   const problems::Input& input, unsigned times);

  RunnerSession& session_;
  const RunnerSettings& settings_;
  const problems::Reference& reference_;
  facts::Backend backend_;
  std::uint64_t seed_;
  std::vector<CaseResult> troubled_;
  bool lost_ = false;  // the runner, or its device
};

}  // namespace judge
