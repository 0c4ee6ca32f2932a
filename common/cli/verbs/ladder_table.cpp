// SPDX-License-Identifier: MIT
#include "cli/verbs/ladder_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"
#include "report/terminal/table.hpp"
#include "workbook/workbook.hpp"

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

// "~": the quartiles overlap, so nothing is claimed.
std::string before_text(const measure::Rung& rung) {
  if (!rung.over_before) return {};
  return fmt::format("{}{:.3g}", rung.over_before->claimed ? "" : "~", rung.over_before->times);
}

void print_rung(const measure::Rung& rung) {
  const measure::Record& record = rung.record;
  const std::string name = measure::title_of(record);
  if (!record.is_timed()) {
    fmt::print("{:<17} {}\n", name, verdict_text(record.finding.verdict, report::Terminal::of_output()));
    if (!record.passed() && record.finding.verdict != facts::Verdict::not_started)
      fmt::print("  {}\n", record.finding.message);
    return;
  }
  const measure::Summary& time = *record.time_ms;
  fmt::print("{}",
             ladder_table().row(
                 {name, fmt::format("{:.4g}", time.median), fmt::format("{:.4g}-{:.4g}", time.q1, time.q3),
                  fmt::format("{:.4g}", throughput_gb_s(record)),
                  rung.of_limit ? fmt::format("{:.1f} %", 100 * *rung.of_limit) : "",
                  rung.over_cpu ? fmt::format("{:.4g}", *rung.over_cpu) : "", before_text(rung)}));
}

}  // namespace

void print_ladder(const measure::Ladder& ladder) {
  fmt::print("{}", ladder_table().header());
  for (const measure::Rung& rung : ladder.rungs) print_rung(rung);
}

void print_recorded_ladder(const std::string& input, const std::string& variant) {
  std::vector<nlohmann::ordered_json> records;
  for (const std::string& file : measure::record_files(measure::recorded_elsewhere(workbook::here()))) {
    for (nlohmann::ordered_json& record : measure::read_records(file).records)
      records.push_back(std::move(record));
  }
  const measure::Selected kept = measure::select(records);
  const std::vector<measure::Ladder> ladders = measure::ladders(kept.records);
  const auto fitting = std::ranges::find_if(ladders, [&](const measure::Ladder& ladder) {
    return ladder.timed && ladder.lab().input == input && ladder.lab().variant == variant;
  });
  if (fitting == ladders.end()) return;
  const auto gpu = kept.machine.gpu.find("name");
  fmt::print("\nThe solutions, recorded on an {}, {}: {}\n\n",
             gpu == kept.machine.gpu.end() ? "unknown GPU" : gpu->second, fitting->lab().time.substr(0, 10),
             input_text(fitting->lab()));
  print_ladder(*fitting);
}

}  // namespace cli
