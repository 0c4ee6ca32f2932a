// SPDX-License-Identifier: MIT
// Measures one runner over one input, a round of samples at a time, so that others can be measured in
// between, and makes a record of what came back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/case.hpp"
#include "judge/runner_session.hpp"
#include "measure/record.hpp"
#include "runner/protocol.hpp"

namespace measure {

class Measurement {
 public:
  // The input lies in the session's file, and every run must give `expected`, or leave its output at zero
  // where that is nothing. What `request` says of samples is replaced; one that is not timed is run once.
  Measurement(judge::RunnerSession& session, std::string program, const problems::Reference& reference,
              runner::RunRequest request, std::optional<problems::Result> expected, StopRule rule,
              double highest_clock_mhz);

  // Asks for one more round. Precondition: not done.
  void round();

  // Enough samples, or a finding.
  bool done() const;

  // pass, or what went wrong in the last round.
  const facts::Finding& finding() const { return finding_; }
  // What came back in the first round: outputs, launch, counters. Nothing if nothing did.
  const std::optional<runner::RunAnswer>& answer() const { return answer_; }
  const problems::Reference& reference() const { return reference_; }
  const std::string& variant() const { return request_.variant; }
  const std::optional<problems::Result>& expected() const { return expected_; }
  const Samples& samples() const { return samples_; }

 private:
  judge::RunnerSession& session_;
  std::string program_;
  const problems::Reference& reference_;
  runner::RunRequest request_;
  std::optional<problems::Result> expected_;
  StopRule rule_;
  facts::Finding finding_;
  std::optional<runner::RunAnswer> answer_;
  Samples samples_;
  unsigned rounds_ = 0;
};

// Puts a record together from the pieces that the input was cut into.
class RecordBuilder {
 public:
  explicit RecordBuilder(Record asked) : record_(std::move(asked)) {}

  // Samples of several pieces are added up in the order in which they were taken.
  void add(const Measurement& piece);
  // `program` is the runner's file, in which places are looked up; `output` what it printed.
  Record finish(const std::string& program, std::string output);

 private:
  Record record_;
  std::vector<double> times_;  // a sample each
  judge::Notes notes_;
};

}  // namespace measure
