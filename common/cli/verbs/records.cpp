// SPDX-License-Identifier: MIT
#include "measure/records.hpp"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/speech.hpp"
#include "workbook/workbook.hpp"

namespace cli {

namespace {

struct RecordsOptions {
  std::string file;  // empty: the build folder's
  bool csv = false;
};

// A word of a record; "?" where it has none.
std::string word(const nlohmann::ordered_json& record, const char* key) {
  const auto found = record.find(key);
  return found != record.end() && found->is_string() ? found->get<std::string>() : "?";
}

void print_summary(const KeptRecords& kept) {
  const auto& [file, records] = kept;
  say("{} {} in {}\n", records.size(), records.size() == 1 ? "record" : "records",
      workbook::here().shortened(file));
  std::map<std::string, std::size_t> kinds;
  for (const auto& record : records) ++kinds[word(record, "kind")];
  for (const auto& [kind, count] : kinds) say("  {:<8} {:>6}\n", kind, count);
  if (records.empty()) {
    say("next: {}\n", lab_command("bench"));
  } else {
    say("from {} to {}\nas a table: {}\n", word(records.front(), "time"), word(records.back(), "time"),
        lab_command("records --csv"));
  }
}

int records(const RecordsOptions& options) {
  const KeptRecords kept = kept_records(options.file);
  if (options.csv) {
    fmt::print("{}", measure::records_csv(kept.records));
  } else {
    print_summary(kept);
  }
  return ExitCode::fine;
}

}  // namespace

void add_records(CommandLine& line) {
  auto [verb, options] = line.add<RecordsOptions>("records", "what was measured so far", records);
  verb.add_option("--file", options.file, "another file of records than the build folder's");
  verb.add_flag("--csv", options.csv, "all of it as comma-separated values");
}

}  // namespace cli
