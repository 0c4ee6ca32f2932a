// SPDX-License-Identifier: MIT
#include "measure/measurement.hpp"

namespace measure {

Measurement::Measurement(judge::RunnerSession& session, std::string program,
                         const problems::Reference& reference, runner::RunRequest request,
                         std::optional<problems::Result> expected, StopRule rule, double highest_clock_mhz)
    : session_(session),
      program_(std::move(program)),
      reference_(reference),
      request_(std::move(request)),
      expected_(std::move(expected)),
      rule_(rule),
      finding_{facts::Verdict::pass, {}},
      samples_(highest_clock_mhz) {}

bool Measurement::done() const {
  if (finding_.verdict != facts::Verdict::pass) return true;
  return rounds_ > 0 && (!request_.timed || samples_.enough(rule_));
}

void Measurement::round() {
  const bool first = rounds_++ == 0;
  const bool clock_is_watched = answer_ && !answer_->clocks_mhz.empty();
  // A run before the samples loads the kernel, and brings a GPU's clock up again where others were measured
  // in between.
  request_.warm_ups = request_.timed && (first || clock_is_watched) ? 1 : 0;
  request_.samples = request_.timed ? samples_.next_round(rule_) : 1;
  request_.same_input = !first;
  const auto start = std::chrono::steady_clock::now();
  judge::CaseResult judged = judge::judged_run(session_, program_, reference_, request_, expected_);
  if (judged.left_out) finding_ = {facts::Verdict::limit, *judged.left_out};
  if (!judged.findings.empty()) finding_ = judged.findings.front();
  if (!judged.answer) return;
  std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  if (first) {
    // It also brought the input to the device; of that time the runs' own is what further samples will take.
    spent = {};
    for (const double time : judged.answer->times_ms)
      spent += std::chrono::duration<double, std::milli>(time);
  }
  samples_.add(*judged.answer, spent);
  if (first) answer_ = std::move(judged.answer);
}

}  // namespace measure
