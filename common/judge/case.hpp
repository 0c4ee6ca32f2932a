// SPDX-License-Identifier: MIT
// One run of an exercise on one input, judged.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "judge/runner_session.hpp"
#include "problems/reference.hpp"
#include "runner/protocol.hpp"

namespace judge {

using problems::Case;

struct CaseResult {
  Case what;
  std::vector<facts::Finding> findings;     // most important first; empty: pass
  std::optional<runner::RunAnswer> answer;  // nullopt if the runner is gone
  // What a run left that had to be ended: its launch and its trace count, and nothing else. Only where a
  // trace was asked for.
  std::optional<runner::RunAnswer> overdue = {};
  std::optional<std::string> left_out;  // why the case cannot be judged on this device

  bool passed() const { return findings.empty() && !left_out; }
};

// The lengths that a check goes through, in ascending order: the edges of warps and of the block, and beyond
// 2^31 and 2^32 where a GPU counts them. `longest` is the last of the others.
std::vector<std::uint64_t> check_lengths(unsigned block, std::uint64_t longest, bool beyond_32_bits);

// The cases of a check by their lengths: those of check_lengths, and those that the seed draws. It also
// chooses the alignments with which they begin, and the longest length.
std::map<std::uint64_t, std::vector<Case>> check_cases(const problems::Reference& reference, unsigned block,
                                                       std::uint64_t seed, bool beyond_32_bits);

// Runs the exercise over the session's input and judges what came back against `expected`; without it the
// output has to stay at zero. `program` is the runner's file, in which places are looked up.
CaseResult judged_run(RunnerSession& session, const std::string& program,
                      const problems::Reference& reference, const runner::RunRequest& request,
                      const std::optional<problems::Result>& expected);

// Runs a case over its input and judges it. `samples`: how often; `conduct`: see RunRequest.
CaseResult judge_case(RunnerSession& session, const std::string& program,
                      const problems::Reference& reference, const Case& what, const problems::Input& input,
                      unsigned samples = 1, bool conduct = false);

// The same in two steps, so that the judge can do something else meanwhile.
void ask_case(RunnerSession& session, const Case& what, const problems::Input& input, unsigned samples,
              bool conduct);
CaseResult judge_asked_case(RunnerSession& session, const std::string& program,
                            const problems::Reference& reference, const Case& what,
                            const problems::Input& input);

// The case in words: its length, input and variant, and its distance from an aligned address where it has
// one.
std::string describe(const problems::Problem& problem, const Case& what);

// Further runs of an exercise whose answer was wrong, over inputs that its problem chooses.
class SessionReruns final : public problems::Reruns {
 public:
  // `session`: the one in which the case failed.
  SessionReruns(RunnerSession& session, const RunnerSettings& settings, const problems::Reference& reference,
                facts::Backend backend, std::uint64_t seed)
      : session_(session), settings_(settings), reference_(reference), backend_(backend), seed_(seed) {}

  std::optional<std::vector<problems::Output>> run(const Case& what, const problems::Input& input,
                                                   unsigned times) override;
  std::optional<problems::Output> run_afresh(const Case& what, const problems::Input& input) override;
  std::uint64_t seed() const override { return seed_; }
  unsigned usual_times() const override;
  bool is_guarded() const override;
  problems::LaunchSize last_launch() const override { return last_launch_; }

  // Runs that ended in something else than an answer: evidence of its own.
  const std::vector<CaseResult>& troubled() const { return troubled_; }

 private:
  std::optional<std::vector<problems::Output>> run_in(RunnerSession& session, const Case& what,
                                                      const problems::Input& input, unsigned times);

  RunnerSession& session_;
  const RunnerSettings& settings_;
  const problems::Reference& reference_;
  facts::Backend backend_;
  std::uint64_t seed_;
  std::vector<CaseResult> troubled_;
  bool lost_ = false;  // the runner, or its device
  problems::LaunchSize last_launch_;
};

}  // namespace judge
