// SPDX-License-Identifier: MIT
// What the verbs say, as text and as JSON documents (docs/command-line.md describes their keys).
#pragma once

#include <string>
#include <vector>

#include "judge/check.hpp"
#include "measure/run.hpp"
#include "report/terminal.hpp"

namespace cli {

// A finding with its places and the next command, in the form of the house style; ends with a line end.
std::string finding_text(const judge::Workbook& workbook, const judge::ExerciseInfo& exercise, const judge::Finding& finding,
                         const report::Terminal& terminal);

// The findings behind the verdict: all of them, or how many there are. Cases that were left out are told in any case.
std::string further_text(const judge::Workbook& workbook, const judge::CheckReport& report, bool all);

// A verdict in its colour.
std::string verdict_text(judge::Verdict verdict, const report::Terminal& terminal);

struct RunDescription {
  judge::ExerciseInfo exercise;
  judge::Backend backend;
  std::string binning, input;
  std::uint64_t length;
};

struct ListEntry {
  judge::ExerciseInfo exercise;
  std::string file, state;
  unsigned attempts;
};

// One document, without a line end.
std::string check_json(const judge::Workbook& workbook, const std::vector<judge::CheckReport>& reports);
std::string list_json(const std::vector<ListEntry>& entries);
std::string run_json(const RunDescription& description, const measure::RunReport& report);
std::string tour_json(const std::vector<std::pair<RunDescription, measure::RunReport>>& rows);

}  // namespace cli
