// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/messages.hpp"
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

}  // namespace

int list(bool json) {
  const judge::Workbook& workbook = judge::workbook();
  Progress progress = Progress::load(workbook);
  std::vector<ListEntry> entries;
  const report::Table table({{"", report::Table::Align::left, 14}, {"", report::Table::Align::left, 46}, {"", report::Table::Align::left}});
  for (const judge::ExerciseInfo& exercise : workbook.exercises) {
    const ExerciseProgress& entry = progress.of(exercise);
    const State state = state_of(workbook, exercise, entry);
    const std::string file = workbook.source_file(exercise, judge::Tree::student);
    if (json) {
      entries.push_back({exercise, file, state_name(state, entry), entry.attempts});
    } else {
      fmt::print("{}", table.row({workbook.short_name(exercise), workbook.shortened(file), state_name(state, entry)}));
    }
  }
  if (json) fmt::print("{}\n", list_json(entries));
  return ExitCode::fine;
}

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

}  // namespace cli
