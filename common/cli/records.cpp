// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/verbs.hpp"
#include "judge/workbook.hpp"
#include "measure/records.hpp"

namespace cli {

int records(const RecordsOptions& options) {
  const std::string file = options.file.empty() ? measure::records_file(judge::workbook()) : options.file;
  const measure::Records all = measure::read_records(file);
  for (const std::string& warning : all.warnings) fmt::print(stderr, "lab: {}\n", warning);
  if (options.csv) {
    fmt::print("{}", measure::records_csv(all.records));
    return ExitCode::fine;
  }
  std::map<std::string, std::size_t> kinds;
  for (const auto& record : all.records) ++kinds[record.value("kind", "?")];
  fmt::print("{} {} in {}\n", all.records.size(), all.records.size() == 1 ? "record" : "records", judge::workbook().shortened(file));
  for (const auto& [kind, count] : kinds) fmt::print("  {:<8} {:>6}\n", kind, count);
  if (!all.records.empty()) fmt::print("from {} to {}\nas a table: lab records --csv\n", all.records.front().value("time", "?"), all.records.back().value("time", "?"));
  if (all.records.empty()) fmt::print("next: lab bench\n");
  return ExitCode::fine;
}

}  // namespace cli
