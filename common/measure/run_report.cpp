// SPDX-License-Identifier: MIT
#include "measure/run_report.hpp"

#include <algorithm>

namespace measure {

void ReportBuilder::add(const Measurement& piece, std::uint64_t length) {
  report_.finding = piece.finding();
  bytes_ += length * piece.reference().problem().find_variant(piece.variant())->element_bytes;
  if (!piece.answer()) return;
  const runner::RunAnswer& answer = *piece.answer();
  const std::vector<double>& of_piece = piece.samples().times_ms();
  if (report_.launches++ == 0) {
    report_.grid = answer.grid;
    report_.block = answer.block;
    report_.occupancy = answer.occupancy;
    report_.clock_mhz = piece.samples().clock_mhz();
    report_.trace = answer.trace;
    times_ = of_piece;
  } else {
    times_.resize(std::min(times_.size(), of_piece.size()));
    for (std::size_t i = 0; i < times_.size(); ++i) times_[i] += of_piece[i];
  }
  notes_.add(answer.notes);
  report_.dropped += piece.samples().dropped();
  report_.counters += answer.counters;
  for (const auto& [place, counters] : answer.places) report_.places[place] += counters;
  if (answer.outputs.empty() || !piece.expected()) return;
  const problems::Reference& reference = piece.reference();
  reference.add(piece.variant(), report_.result, reference.result_of(piece.variant(), answer.outputs.front()));
  reference.add(piece.variant(), report_.expected, *piece.expected());
}

RunReport ReportBuilder::finish(const std::string& program, std::string output) {
  report_.notes = notes_.told(program);
  report_.output = std::move(output);
  // A kernel that is fast and wrong has no time.
  if (!times_.empty() && report_.finding.verdict == facts::Verdict::pass) {
    report_.time_ms = summarize(times_);
    if (report_.time_ms->median > 0)
      report_.throughput_gb_s = static_cast<double>(bytes_) / report_.time_ms->median / 1e6;
  }
  return std::move(report_);
}

}  // namespace measure
