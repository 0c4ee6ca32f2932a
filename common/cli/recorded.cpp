// SPDX-License-Identifier: MIT
#include "cli/recorded.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/documents.hpp"
#include "facts/errors.hpp"
#include "measure/records.hpp"

namespace cli {

namespace {

std::string& command() {
  static std::string words;
  return words;
}

}  // namespace

std::string_view name_of(workbook::Tree tree) {
  return tree == workbook::Tree::solution ? "solution" : "student";
}

void remember_command(int argument_count, char** arguments) {
  command() = "lab";
  for (int i = 1; i < argument_count; ++i) command() += fmt::format(" {}", arguments[i]);
}

void keep_record(const RecordOf& record, const RunDescription& description,
                 const measure::RunReport& report) {
  const workbook::Workbook& workbook = workbook::here();
  nlohmann::ordered_json json = measure::record_context(workbook, command());
  json["kind"] = record.kind;
  json["tree"] = record.tree;
  json["seed"] = record.seed ? nlohmann::ordered_json(*record.seed) : nlohmann::ordered_json();
  if (!record.sweep.empty()) json["sweep"] = {{"name", record.sweep}, {"value", record.value}};
  json.update(run_document(workbook, description, report));
  for (const char* const key : {"bins", "notes"}) json.erase(key);
  if (!record.figures.empty()) json["figures"] = record.figures;
  const std::string fault = measure::append_record(measure::records_file(workbook), json);
  static bool told = false;
  if (!fault.empty() && !told) fmt::print(stderr, "lab: this is not recorded: {}\n", fault);
  told = told || !fault.empty();
}

KeptRecords kept_records(const std::string& named) {
  std::error_code fault;
  if (!named.empty() && !std::filesystem::exists(named, fault)) {
    throw facts::MachineError(
        fmt::format("cannot read {}: {}", named, fault ? fault.message() : "there is no such file"));
  }
  const std::string file = named.empty() ? measure::records_file(workbook::here()) : named;
  measure::Records read = measure::read_records(file);
  for (const std::string& warning : read.warnings) fmt::print(stderr, "lab: {}\n", warning);
  return {file, std::move(read.records)};
}

}  // namespace cli
