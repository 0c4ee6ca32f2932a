// SPDX-License-Identifier: MIT
// What docs/checkers.md says of other tools is what they answered: compute-sanitizer.jsonl and
// oclgrind.jsonl, written by compare.sh and oclgrind/compare.sh.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sources.hpp"

using Json = nlohmann::json;

namespace {

const std::string not_run = "–", nothing = "nothing", hangs = "hangs";

// A tool's records; the first one says what it ran on.
std::vector<Json> records_of(const std::string& file) {
  std::ifstream lines(DEFECTS_FOLDER "/" + file);
  std::vector<Json> records;
  for (std::string line; std::getline(lines, line);) records.push_back(Json::parse(line));
  return records;
}

// Which of the tool's checks report this version; "default" are those that are always on, and so report in
// every run.
std::string answer(const std::vector<Json>& records, const std::string& kernel, const std::string& version) {
  std::string checks;
  bool hung = false;
  for (const Json& record : records) {
    if (record.value("kernel", "") != kernel || record.value("version", "") != version) continue;
    if (record.contains("inexpressible")) return not_run;
    hung |= record.at("ended") == "hung";
    if (!record.at("reported").get<bool>()) continue;
    if (record.at("tool") == "default") return "default";
    checks += (checks.empty() ? "" : ", ") + record.at("tool").get<std::string>();
  }
  return !checks.empty() ? checks : hung ? hangs : nothing;
}

std::string cell(const std::vector<Json>& records, const std::string& kernel) {
  const std::string twin = answer(records, kernel, "twin");
  return answer(records, kernel, "defect") + (twin == nothing || twin == not_run ? "" : "; twin: " + twin);
}

struct Totals {
  int run = 0, defects_reported = 0, defects_hang = 0, twins_reported = 0, twins_hang = 0;
};

Totals totals_of(const std::vector<Json>& records) {
  Totals totals;
  for (const auto& kernel : kernel_sources()) {
    const std::string defect = answer(records, kernel.first, "defect"),
                      twin = answer(records, kernel.first, "twin");
    if (defect == not_run) continue;
    ++totals.run;
    totals.defects_reported += defect != nothing && defect != hangs;
    totals.defects_hang += defect == hangs;
    totals.twins_reported += twin != nothing && twin != hangs;
    totals.twins_hang += twin == hangs;
  }
  return totals;
}

std::set<std::string> document_lines(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

// The line of the table that begins with this kernel, from its fourth column on.
std::string other_columns(const std::set<std::string>& lines, const std::string& kernel) {
  for (const std::string& line : lines) {
    if (line.rfind("| `" + kernel + "` |", 0) != 0) continue;
    std::size_t column = 0;
    for (int bar = 0; bar < 3; ++bar) column = line.find(" | ", column + 1);
    return line.substr(column);
  }
  return "";
}

}  // namespace

TEST_CASE("each kernel's answers stand in the document") {
  const std::vector<Json> sanitizer = records_of("compute-sanitizer.jsonl"),
                          oclgrind = records_of("oclgrind.jsonl");
  const std::set<std::string> lines = document_lines(text_of_files(DOCUMENTS_FOLDER, "checkers.md"));
  for (const auto& kernel : kernel_sources()) {
    const std::string& name = kernel.first;
    CAPTURE(name);
    CHECK(other_columns(lines, name) ==
          fmt::format(" | {} | {} |", cell(sanitizer, name), cell(oclgrind, name)));
  }
}

TEST_CASE("each kernel was put to each tool, both versions") {
  const std::vector<Json> sanitizer = records_of("compute-sanitizer.jsonl"),
                          oclgrind = records_of("oclgrind.jsonl");
  const Totals totals = totals_of(oclgrind);
  CHECK(sanitizer.size() == 1 + kernel_sources().size() * 2 * 4);
  CHECK(oclgrind.size() == 1 + totals.run * 2 * 3 + (kernel_sources().size() - totals.run) * 2);
}

TEST_CASE("the totals and the versions stand in the document") {
  const std::vector<Json> sanitizer = records_of("compute-sanitizer.jsonl"),
                          oclgrind = records_of("oclgrind.jsonl");
  const std::string document = text_of_files(DOCUMENTS_FOLDER, "checkers.md");
  const std::set<std::string> lines = document_lines(document);
  const Totals a = totals_of(sanitizer), b = totals_of(oclgrind);
  const std::size_t all = kernel_sources().size();
  CHECK(lines.count(fmt::format("| kernels put to it | {} | {} | {} |", all, a.run, b.run)));
  CHECK(lines.count(
      fmt::format("| defects reported | {} | {} | {} |", all, a.defects_reported, b.defects_reported)));
  CHECK(lines.count(
      fmt::format("| defects that hang without a word | 0 | {} | {} |", a.defects_hang, b.defects_hang)));
  CHECK(lines.count(fmt::format("| twins reported | 0 | {} | {} |", a.twins_reported, b.twins_reported)));
  CHECK(lines.count(fmt::format("| twins that hang | 0 | {} | {} |", a.twins_hang, b.twins_hang)));
  for (const Json* machine : {&sanitizer.front().at("machine"), &oclgrind.front().at("machine")}) {
    for (const char* fact : {"gpu", "driver", "compute_sanitizer", "oclgrind", "date"}) {
      if (machine->contains(fact))
        CHECK(document.find(machine->at(fact).get<std::string>()) != std::string::npos);
    }
  }
}

// So that a twin's silence is not that of a kernel which never did its work.
TEST_CASE("on the GPU, every twin computed what its test demands") {
  for (const Json& record : records_of("compute-sanitizer.jsonl")) {
    if (record.value("version", "") != "twin") continue;
    CAPTURE(record.dump());
    CHECK(record.at("ended") == "right");
  }
}
