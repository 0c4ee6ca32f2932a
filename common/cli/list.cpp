// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "report/table.hpp"
#include "report/terminal.hpp"

namespace cli {

namespace {

std::string state_name(State state, const ExerciseProgress& progress) {
  switch (state) {
    case State::not_started: return "not started";
    case State::changed: return "changed since the last check";
    case State::failing: return progress.verdict;
    default: return "passed";
  }
}

int list(bool json) {
  const judge::Workbook& workbook = judge::workbook();
  Progress progress = Progress::load(workbook);
  nlohmann::ordered_json document{{"exercises", nlohmann::ordered_json::array()}};
  const report::Table table({{"", report::Table::Align::left, 14}, {"", report::Table::Align::left, 46}, {"", report::Table::Align::left}});
  for (const judge::ExerciseInfo& exercise : workbook.exercises) {
    const ExerciseProgress& entry = progress.of(exercise);
    const State state = state_of(workbook, exercise, entry);
    const std::string file = workbook.source_file(exercise, judge::Tree::student);
    if (json) {
      document["exercises"].push_back({{"lab", exercise.lab}, {"exercise", exercise.name}, {"file", file},
                                       {"state", state_name(state, entry)}, {"attempts", entry.attempts}});
    } else {
      fmt::print("{}", table.row({workbook.short_name(exercise), workbook.shortened(file), state_name(state, entry)}));
    }
  }
  if (json) fmt::print("{}\n", document.dump(2));
  return ExitCode::fine;
}

}  // namespace

int overview() {
  const judge::Workbook& workbook = judge::workbook();
  Progress progress = Progress::load(workbook);
  const report::Terminal terminal = report::Terminal::of_output();
  unsigned passed = 0;
  std::string next;
  std::string marks;
  for (const judge::ExerciseInfo& exercise : workbook.exercises) {
    const State state = state_of(workbook, exercise, progress.of(exercise));
    const std::string name = workbook.short_name(exercise);
    if (state == State::passed) {
      ++passed;
      marks += terminal.paint(report::Colour::green, fmt::format("  {} passed\n", name));
      continue;
    }
    marks += fmt::format("  {} {}\n", name, state_name(state, progress.of(exercise)));
    if (!next.empty()) continue;
    next = state == State::not_started
               ? fmt::format("read {}, edit {}, then: lab check {}", workbook.shortened(workbook.lab_file(exercise, "README.md")),
                             workbook.shortened(workbook.source_file(exercise, judge::Tree::student)), name)
               : fmt::format("lab check {}", name);
  }
  fmt::print("The parallel histogram, step by step: {} of {} exercises passed\n{}next: {}\n", passed, workbook.exercises.size(), marks,
             next.empty() ? "lab tour" : next);
  fmt::print("(lab --help lists all that lab can do)\n");
  return ExitCode::fine;
}

void add_list(CLI::App& app, int& exit_code) {
  auto json = std::make_shared<bool>(false);
  CLI::App* const verb = app.add_subcommand("list", "the labs, their exercises, the state of each");
  verb->add_flag("--json", *json, "one JSON document");
  verb->callback([json, &exit_code] { exit_code = list(*json); });
}

}  // namespace cli
