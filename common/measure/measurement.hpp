// SPDX-License-Identifier: MIT
// Measures one runner over one input, a round of samples at a time, so that others can be measured in
// between, until its time has been measured often enough (docs/timing.md), and makes a record of what came
// back.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/case.hpp"
#include "judge/runner_session.hpp"
#include "measure/record.hpp"
#include "runner/protocol.hpp"

namespace measure {

struct StopRule {
  unsigned round = 5;   // samples at a time, at most
  unsigned least = 20;  // samples, whatever their spread
  unsigned most = 300;
  double spread = 0.005;                   // enough: distance of the quartiles, as a part of the median
  std::chrono::milliseconds budget{2000};  // after this long what there is has to do, if it is
  unsigned fewest = 1;                     // so many samples come before that, dropped ones among them
};

// A GPU that is too hot or draws too much power lowers its clock. A sample is dropped if the multiprocessors
// ran slower than this part of the device's highest clock right after it.
constexpr double slowest_clock = 0.75;

// The times of one contender.
class Samples {
 public:
  // `highest_clock_mhz`: 0 where no clock is watched.
  explicit Samples(double highest_clock_mhz = 0) : highest_clock_mhz_(highest_clock_mhz) {}

  // Adds what a runner measured in one round, which took `wall` in all.
  void add(const runner::RunAnswer& answer, std::chrono::duration<double, std::milli> wall);

  bool enough(const StopRule& rule) const;

  // How many samples the next round should have, so that it does not go far beyond the budget: one, then as
  // many as fit.
  unsigned next_round(const StopRule& rule) const;

  // Nothing if no sample counts.
  std::optional<Summary> summary() const;

  const std::vector<double>& times_ms() const { return times_ms_; }
  unsigned dropped() const { return dropped_; }  // because of the clock
  // The median over the samples that count; nothing if no clock was watched.
  std::optional<double> clock_mhz() const;

 private:
  double highest_clock_mhz_;
  std::vector<double> times_ms_, clocks_mhz_;  // of the samples that count
  unsigned dropped_ = 0;
  std::chrono::duration<double, std::milli> spent_{};
};

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
  // What it left if it had to be ended (judge/case.hpp).
  const std::optional<runner::RunAnswer>& overdue() const { return overdue_; }
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
  std::optional<runner::RunAnswer> answer_, overdue_;
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
