// SPDX-License-Identifier: MIT
// One run of an exercise on one input, and what the judge makes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "facts/verdict.hpp"
#include "judge/runner_session.hpp"
#include "problems/histogram/binnings.hpp"
#include "problems/histogram/input.hpp"
#include "runner/protocol.hpp"

namespace judge {

struct Case {
  std::string binning;
  std::string input;  // a named input, or what the judge has chosen to be one
  std::uint64_t length;
  unsigned misalignment = 0;

  bool operator==(const Case&) const = default;
};

struct CaseResult {
  Case what;
  std::vector<facts::Finding> findings;     // most important first; empty: pass
  std::optional<runner::RunAnswer> answer;  // nothing if the runner is gone
  std::optional<std::string> left_out;      // why the case cannot be judged on this device

  bool passed() const { return findings.empty() && !left_out; }
};

// From here on a device may be too small for a case, which is then left out.
constexpr std::uint64_t huge_length = std::uint64_t{1} << 30;

// The cases for a length, many where it is short. `variant` changes from length to length, so that alignments
// do.
std::vector<Case> cases_of_length(std::uint64_t length, unsigned variant);

// The lengths that a check goes through, in ascending order; around the block size, and beyond 2^31 and 2^32
// where a GPU counts them.
std::vector<std::uint64_t> check_lengths(unsigned block, bool beyond_32_bits);

// Runs the exercise over the session's input and judges what came back against `expected`. `program` is the
// runner's file, in which places are looked up.
struct JudgedRun {
  std::vector<facts::Finding> findings;
  std::optional<runner::RunAnswer> answer;
  std::optional<std::string> left_out;
};
JudgedRun judged_run(RunnerSession& session, const std::string& program, const runner::RunRequest& request,
                     const std::vector<std::uint64_t>& expected);

// Runs a case over its input and judges it. `samples`: how often; `conduct`: see RunRequest.
CaseResult judge_case(RunnerSession& session, const std::string& program, const Case& what,
                      const histogram::Input& input, unsigned samples = 1, bool conduct = false);

// "1000 bytes of `letters`, binning letters4, 0 past an aligned address"
std::string describe(const Case& what);

// A wrong answer, with the first bins that differ; nothing if all are equal.
std::optional<facts::Finding> compare_bins(const histogram::BinningInfo& binning,
                                           const std::vector<std::uint64_t>& expected,
                                           const std::vector<std::uint32_t>& got);

// What the CPU counts in (a stretch of) an input. Holes are counted without reading them.
std::vector<std::uint64_t> expected_bins(const histogram::Input& input, const histogram::BinningInfo& binning,
                                         std::uint64_t offset, std::uint64_t length);

}  // namespace judge
