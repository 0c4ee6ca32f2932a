// SPDX-License-Identifier: MIT
#include "measure/run.hpp"

#include <algorithm>

#include "judge/case.hpp"
#include "judge/check.hpp"

namespace measure {

namespace {

struct Repetitions {
  unsigned warm_ups, samples;
};

// How often a piece is run. A GPU's clocks need a few runs to rise. On the CPU long inputs are run less often: about
// four seconds' worth at 1 GB/s. The simulator is not timed.
Repetitions repetitions(judge::Backend backend, std::uint64_t length) {
  switch (backend) {
    case judge::Backend::gpu: return {3, 20};
    case judge::Backend::cpu: {
      constexpr std::uint64_t budget_bytes = std::uint64_t{4} << 30;
      return {1, static_cast<unsigned>(std::clamp<std::uint64_t>(budget_bytes / std::max<std::uint64_t>(length, 1), 3, 20))};
    }
    default: return {0, 1};
  }
}

void add(exercise::Counters& sum, const exercise::Counters& counters) {
  for (const auto& [name, value] : counters) sum[name] += value;
}

// In lockstep about a second's work too.
constexpr std::uint64_t lockstep_piece_bytes = 1 << 20;

// Adds a piece's answer to the report; `times` holds the samples' sums over the pieces so far.
void accumulate(RunReport& report, const exercise::RunAnswer& answer, const std::vector<std::uint64_t>& expected, std::vector<double>& times) {
  if (report.launches++ == 0) {
    report.grid = answer.grid;
    report.block = answer.block;
    times = answer.times_ms;
  } else {
    times.resize(std::min(times.size(), answer.times_ms.size()));
    for (std::size_t i = 0; i < times.size(); ++i) times[i] += answer.times_ms[i];
  }
  add(report.counters, answer.counters);
  for (const auto& [place, counters] : answer.places) add(report.places[place], counters);
  if (answer.bins.empty()) return;
  report.bins.resize(answer.bins.front().size());
  for (std::size_t bin = 0; bin < report.bins.size(); ++bin) report.bins[bin] += answer.bins.front()[bin];
  report.expected.resize(expected.size());
  for (std::size_t bin = 0; bin < expected.size(); ++bin) report.expected[bin] += expected[bin];
}

}  // namespace

std::uint64_t piece_bytes(judge::Backend backend) {
  // On the simulator about a second's work, so that progress shows; else what surely fits into memory twice.
  return backend == judge::Backend::sim ? std::uint64_t{8} << 20 : std::uint64_t{1} << 30;
}

RunReport run(const judge::RunnerSettings& settings, const histogram::Input& input, const RunOptions& options) {
  RunReport report;
  judge::RunnerSession session(settings);
  if (auto finding = judge::start_session(session)) {
    report.finding = std::move(*finding);
    return report;
  }
  const histogram::BinningInfo binning = histogram::find_binning(options.binning).value();
  const std::uint64_t piece = options.lockstep_seed ? lockstep_piece_bytes : piece_bytes(options.backend);
  judge::Notes notes;
  std::vector<double> times;
  std::uint64_t done = 0;
  do {
    if (options.progress) options.progress(input.length() > 0 ? static_cast<double>(done) / static_cast<double>(input.length()) : 0);
    exercise::RunRequest request;
    request.binning = options.binning;
    request.length = std::min(piece, input.length() - done);
    request.block = options.block;
    request.grid = options.grid;
    request.places = options.places;
    if (done == 0) request.trace = options.trace;
    request.lockstep_seed = options.lockstep_seed;
    const auto [warm_ups, samples] = repetitions(options.backend, request.length);
    request.warm_ups = warm_ups;
    request.samples = samples;
    session.input().write(input, done, request.length);
    const std::vector<std::uint64_t> expected = judge::expected_bins(input, binning, done, request.length);
    judge::JudgedRun judged = judge::judged_run(session, settings.program, request, expected);
    if (judged.answer) accumulate(report, *judged.answer, expected, times);
    if (judged.answer) notes.add(judged.answer->notes);
    if (judged.answer && request.trace) report.trace = std::move(judged.answer->trace);
    if (judged.left_out) report.finding = {judge::Verdict::limit, *judged.left_out};
    if (!judged.findings.empty()) report.finding = judged.findings.front();
    done += request.length;
  } while (done < input.length() && report.finding.verdict == judge::Verdict::pass);
  report.output = session.output_text();
  report.notes = notes.told(settings.program);
  if (!times.empty()) {
    report.time_ms = summarize(times);
    if (report.time_ms->median > 0) report.throughput_gb_s = static_cast<double>(done) / report.time_ms->median / 1e6;
  }
  if (options.progress) options.progress(1);
  return report;
}

}  // namespace measure
