// SPDX-License-Identifier: MIT
#include "measure/measurement.hpp"

#include <algorithm>

namespace measure {

void Samples::add(const runner::RunAnswer& answer, std::chrono::duration<double, std::milli> wall) {
  spent_ += wall;
  for (std::size_t i = 0; i < answer.times_ms.size(); ++i) {
    const bool watched = highest_clock_mhz_ > 0 && i < answer.clocks_mhz.size();
    if (watched && answer.clocks_mhz[i] < slowest_clock * highest_clock_mhz_) {
      ++dropped_;
      continue;
    }
    times_ms_.push_back(answer.times_ms[i]);
    if (watched) clocks_mhz_.push_back(answer.clocks_mhz[i]);
  }
}

bool Samples::enough(const StopRule& rule) const {
  if (times_ms_.size() >= rule.most) return true;
  if (spent_ >= rule.budget && times_ms_.size() + dropped_ >= rule.fewest) return true;
  if (times_ms_.size() < rule.least) return false;
  const Summary now = summarize(times_ms_);
  return now.q3 - now.q1 <= rule.spread * now.median;
}

unsigned Samples::next_round(const StopRule& rule) const {
  const std::size_t taken = times_ms_.size() + dropped_;
  if (taken == 0) return 1;
  const double left_ms = (rule.budget - spent_).count();
  const double each_ms = spent_.count() / static_cast<double>(taken);
  const unsigned fitting =
      each_ms * rule.round <= left_ms ? rule.round : static_cast<unsigned>(std::max(left_ms, 0.0) / each_ms);
  const auto missing = static_cast<unsigned>(rule.most - std::min<std::size_t>(times_ms_.size(), rule.most));
  return std::clamp(fitting, 1u, std::max(missing, 1u));
}

std::optional<Summary> Samples::summary() const {
  if (times_ms_.empty()) return std::nullopt;
  return summarize(times_ms_);
}

std::optional<double> Samples::clock_mhz() const {
  if (clocks_mhz_.empty()) return std::nullopt;
  return summarize(clocks_mhz_).median;
}

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
  // A run before the samples loads the kernel, and brings a GPU's clock up again and its cache into the state
  // that is asked for where others were measured in between.
  const bool others_matter = clock_is_watched || request_.options.warm_cache;
  request_.warm_ups = request_.timed && (first || others_matter) ? 1 : 0;
  request_.samples = request_.timed ? samples_.next_round(rule_) : 1;
  request_.same_input = !first;
  const auto start = std::chrono::steady_clock::now();
  judge::CaseResult judged = judge::judged_run(session_, program_, reference_, request_, expected_);
  if (judged.left_out) finding_ = {facts::Verdict::limit, *judged.left_out};
  if (!judged.findings.empty()) finding_ = judged.findings.front();
  if (judged.overdue) overdue_ = std::move(judged.overdue);
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

void RecordBuilder::add(const Measurement& piece) {
  record_.finding = piece.finding();
  if (const auto& overdue = piece.overdue(); overdue && record_.launches == 0) {
    record_.launch = {overdue->grid, overdue->block};
    record_.trace = overdue->trace;
  }
  if (!piece.answer()) return;
  const runner::RunAnswer& answer = *piece.answer();
  const std::vector<double>& of_piece = piece.samples().times_ms();
  if (record_.launches++ == 0) {
    record_.launch = {answer.grid, answer.block};
    record_.occupancy = answer.occupancy;
    record_.clock_mhz = piece.samples().clock_mhz();
    record_.trace = answer.trace;
    record_.stream = answer.stream;
    record_.parts = answer.parts;
    times_ = of_piece;
  } else {
    times_.resize(std::min(times_.size(), of_piece.size()));
    for (std::size_t i = 0; i < times_.size(); ++i) times_[i] += of_piece[i];
  }
  notes_.add(answer.notes);
  record_.dropped += piece.samples().dropped();
  record_.counters += answer.counters;
  for (const auto& [place, counters] : answer.places) record_.places[place] += counters;
  record_.unfinished = answer.unfinished;
  if (answer.unfinished) record_.result.clear();
  if (answer.unfinished || answer.outputs.empty() || !piece.expected()) return;
  const problems::Reference& reference = piece.reference();
  reference.add(piece.variant(), record_.result,
                reference.result_of(piece.variant(), answer.outputs.front()));
  reference.add(piece.variant(), record_.expected, *piece.expected());
}

Record RecordBuilder::finish(const std::string& program, std::string output) {
  record_.notes = notes_.told(program);
  record_.output = std::move(output);
  // A kernel that is fast and wrong has no time.
  if (!times_.empty() && record_.passed()) record_.time_ms = summarize(times_);
  return std::move(record_);
}

}  // namespace measure
