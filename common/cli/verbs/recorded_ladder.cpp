// SPDX-License-Identifier: MIT
#include "cli/verbs/recorded_ladder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/verbs/ladder_table.hpp"
#include "measure/records.hpp"
#include "report/page/ladders.hpp"
#include "report/terminal/bars.hpp"
#include "workbook/workbook.hpp"

namespace cli {

namespace {

LadderRow row_of(const report::page::Record& record) {
  LadderRow row{.name = title_of(record), .is_lab = !record.is_peer(), .on_gpu = record.backend == "gpu"};
  row.is_limit = record.is_peer() && record.exercise == "read";
  row.finding.verdict = facts::find_verdict(record.verdict).value_or(facts::Verdict::protocol);
  row.time_ms = record.time_ms;
  if (record.time_ms) row.throughput_gb_s = throughput_gb_s(record, record.time_ms->median);
  return row;
}

}  // namespace

void print_recorded_ladder(const std::string& input, const std::string& binning) {
  std::vector<nlohmann::ordered_json> records;
  for (const std::string& file : measure::record_files(measure::recorded_elsewhere(workbook::here()))) {
    for (nlohmann::ordered_json& record : measure::read_records(file).records)
      records.push_back(std::move(record));
  }
  const report::page::Selected kept = report::page::select(records);
  const std::vector<report::page::Ladder> ladders = report::page::ladders(kept.records);
  const auto fitting = std::ranges::find_if(ladders, [&](const report::page::Ladder& ladder) {
    return ladder.timed && ladder.lab().input == input && ladder.lab().binning == binning;
  });
  if (fitting == ladders.end()) return;
  const auto gpu = kept.machine.gpu.find("name");
  fmt::print("\nThe solutions, recorded on an {}, {}: {} bytes of {}, binning {}\n\n",
             gpu == kept.machine.gpu.end() ? "unknown GPU" : gpu->second, fitting->lab().time.substr(0, 10),
             report::with_separators(fitting->lab().length), input, binning);
  std::vector<LadderRow> rows;
  for (const report::page::Record& record : fitting->rungs) rows.push_back(row_of(record));
  print_ladder(rows);
}

}  // namespace cli
