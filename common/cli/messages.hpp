// SPDX-License-Identifier: MIT
// What the verbs say, as text and as JSON documents (docs/command-line.md describes their keys).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/progress.hpp"
#include "judge/check.hpp"
#include "measure/record.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

// A finding with its places and the next command, in the form of the house style; ends with a line end.
std::string finding_text(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                         const facts::Finding& finding, const report::Terminal& terminal);

// The findings behind the verdict: all of them with their places, or how many there are. Cases that were left
// out are told in any case.
std::string further_text(const workbook::Workbook& workbook, const judge::CheckReport& report, bool all,
                         const report::Terminal& terminal = {});

// What a verdict of a GPU alone leaves open, and the command that tells; empty where another backend has
// judged as well.
std::string unseen_text(const workbook::Workbook& workbook, const judge::CheckReport& report,
                        std::size_t backends);

// What is worth knowing and not wrong, with its places; empty where there is nothing.
std::string notes_text(const workbook::Workbook& workbook, const std::vector<facts::Finding>& notes);

// A verdict in its colour.
std::string verdict_text(facts::Verdict verdict, const report::Terminal& terminal);

struct ListEntry {
  workbook::ExerciseInfo exercise;
  std::string file, state;
  unsigned attempts;
  std::optional<BestTime> best;
};

// One document, without a line end.
std::string check_json(const workbook::Workbook& workbook, const std::vector<judge::CheckReport>& reports);
std::string list_json(const std::vector<ListEntry>& entries);
std::string runs_json(const workbook::Workbook& workbook, const std::vector<measure::Record>& records);

// Any document as it is printed, without a line end: valid UTF-8 whatever a program wrote.
std::string dumped(const nlohmann::ordered_json& json);

}  // namespace cli
