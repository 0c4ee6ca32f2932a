// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/messages.hpp"

namespace cli {

// What a record holds besides a run's own document.
struct RecordOf {
  std::string kind;  // "run", "tour", "bench", "sweep", "profile"
  std::string tree;  // "solution", "student", or "peer" for what is no lab
  std::optional<std::uint64_t> seed = {};
  std::string sweep = {};                      // its name; empty: none
  std::uint64_t value = 0;                     // of a sweep
  std::map<std::string, double> figures = {};  // of a profile: what only hardware tells (measure/metrics.hpp)
};

// Keeps a run among the records in the build folder (measure/records.hpp). Where that is not possible a line
// on standard error says why; nothing else depends on it.
void keep_record(const RecordOf& record, const RunDescription& description, const measure::RunReport& report);

struct KeptRecords {
  std::string file;
  std::vector<nlohmann::ordered_json> records;
};

// The records in the file that the user names or, if `named` is empty, in the build folder's. Lines that are
// left out are told on standard error. Throws MachineError where a named file is not there, std::system_error
// for one that cannot be read.
KeptRecords kept_records(const std::string& named);

// What the user typed, for the records.
void remember_command(int argument_count, char** arguments);

std::string_view name_of(workbook::Tree tree);

}  // namespace cli
