// SPDX-License-Identifier: MIT
// The file of records in the state folder: records.jsonl, one JSON document per line (docs/records.md, and
// the schema beside it). Lines are only ever added. Several `lab` may add at the same time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "measure/record.hpp"
#include "workbook/workbook.hpp"

namespace measure {

// In the state folder (Workbook::state_file), unless WORKBOOK_RECORDS in the environment names another file.
std::string records_file(const workbook::Workbook& workbook);

// Now, in UTC, as in records and predictions: "2026-11-20T17:00:00Z".
std::string time_now();

// Writes where and when it was made into a record: commit, machine, time, and what the user typed.
void add_context(Record& record, const workbook::Workbook& workbook, const std::string& command);

// Adds the record as one line, whole or not at all. Nothing, or why it could not be kept.
std::string append_record(const std::string& file, const nlohmann::ordered_json& record);

struct Records {
  std::vector<nlohmann::ordered_json> records;  // in the order in which they were made
  std::vector<std::string> warnings;            // lines that were left out, and why
};

// A file that is not there has no records. Throws std::system_error for one that cannot be read.
Records read_records(const std::string& file);

// Records of one machine, with what is missing or misshapen left out.
struct Selected {
  Machine machine;              // of the newest record
  std::vector<Record> records;  // made there, in their order
  std::size_t elsewhere = 0;    // how many were made on another machine or GPU, and are left out
  std::size_t misshapen = 0;    // how many lack what a record has, and are left out
};

// The records of the machine on which the newest was made. A machine is another one if its CPU, their number
// or its GPU's name differs: a new kernel or driver leaves it what it is.
Selected select(const std::vector<nlohmann::ordered_json>& records);

// The files of records in a folder (*.jsonl), by name; none where there is no such folder.
std::vector<std::string> record_files(const std::string& folder);

// Where this tool's runs on other machines are kept with the documents, for whoever has no GPU.
std::string recorded_elsewhere(const workbook::Workbook& workbook);

// The records as comma-separated values (RFC 4180) with a header: the keys that all have, times, then each
// counter and each of a profiler's figures ("figures/dram_bytes") that any of them has.
std::string records_csv(const std::vector<nlohmann::ordered_json>& records);

}  // namespace measure
