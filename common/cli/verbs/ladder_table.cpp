// SPDX-License-Identifier: MIT
#include "cli/verbs/ladder_table.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/messages.hpp"
#include "measure/samples.hpp"
#include "report/terminal/table.hpp"

namespace cli {

namespace {

const report::Table& ladder_table() {
  using Align = report::Table::Align;
  // 79 columns: a row fits into a terminal of 80.
  static const report::Table columns({{"", Align::left, 17},
                                      {"ms", Align::right, 8},
                                      {"quartiles", Align::right, 13},
                                      {"GB/s", Align::right, 6},
                                      {"of limit", Align::right, 8},
                                      {"x CPU", Align::right, 7},
                                      {"x before", Align::right, 8}});
  return columns;
}

const LadderRow* first_timed(const std::vector<LadderRow>& rows, bool (*is_meant)(const LadderRow&)) {
  const auto found =
      std::ranges::find_if(rows, [&](const LadderRow& row) { return row.time_ms && is_meant(row); });
  return found == rows.end() ? nullptr : &*found;
}

// How many times as fast as the rung before. "~": the quartiles overlap, so nothing is claimed.
std::string against(const LadderRow& here, const LadderRow* before) {
  if (!before || !here.is_lab) return {};
  const bool claimed = measure::is_faster(*here.time_ms, *before->time_ms) ||
                       measure::is_faster(*before->time_ms, *here.time_ms);
  return fmt::format("{}{:.3g}", claimed ? "" : "~", before->time_ms->median / here.time_ms->median);
}

void print_row(const LadderRow& row, const LadderRow* limit, const LadderRow* cpu, const LadderRow* before) {
  const bool passed = row.finding.verdict == facts::Verdict::pass;
  if (!row.time_ms || !passed) {
    fmt::print("{:<17} {}\n", row.name, verdict_text(row.finding.verdict, report::Terminal::of_output()));
    if (!passed && row.finding.verdict != facts::Verdict::not_started)
      fmt::print("  {}\n", row.finding.message);
    return;
  }
  const measure::Summary& time = *row.time_ms;
  fmt::print(
      "{}",
      ladder_table().row(
          {row.name, fmt::format("{:.4g}", time.median), fmt::format("{:.4g}-{:.4g}", time.q1, time.q3),
           fmt::format("{:.4g}", row.throughput_gb_s),
           limit && row.on_gpu ? fmt::format("{:.1f} %", 100 * limit->time_ms->median / time.median) : "",
           cpu ? fmt::format("{:.4g}", cpu->time_ms->median / time.median) : "", against(row, before)}));
}

}  // namespace

void print_ladder(const std::vector<LadderRow>& rows) {
  const LadderRow* const limit = first_timed(rows, [](const LadderRow& row) { return row.is_limit; });
  const LadderRow* const cpu =
      first_timed(rows, [](const LadderRow& row) { return row.is_lab && !row.on_gpu; });
  const LadderRow* before = nullptr;
  fmt::print("{}", ladder_table().header());
  for (const LadderRow& row : rows) {
    print_row(row, limit, cpu, before);
    if (row.is_lab && row.time_ms) before = &row;
  }
}

}  // namespace cli
