// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/command_line.hpp"
#include "cli/progress.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"
#include "report/terminal/sources.hpp"
#include "report/terminal/terminal.hpp"
#include "workbook/skeleton.hpp"

namespace cli {

namespace {

struct CompareOptions {
  std::string lab;
  bool anyway = false;  // before it has passed too
};

// From here on two columns of code are wide enough to be read.
constexpr unsigned least_columns = 120;

std::string text_of_file(const std::string& path) {
  if (auto text = os::read_file(path)) return *text;
  throw facts::MachineError(fmt::format("cannot read {}", workbook::here().shortened(path)));
}

void print_both(const workbook::ExerciseInfo& exercise) {
  const workbook::Workbook& workbook = workbook::here();
  const report::Terminal terminal = report::Terminal::of_output();
  const std::string yours = workbook.source_file(exercise, workbook::Tree::student),
                    other = workbook.source_file(exercise, workbook::Tree::solution);
  const std::string left = text_of_file(yours), right = workbook::without_markers(text_of_file(other));
  if (terminal.columns >= least_columns) {
    fmt::print("{}", report::side_by_side({workbook.shortened(yours), left},
                                          {workbook.shortened(other), right}, terminal.columns));
  } else {
    fmt::print("==== {}\n{}{}==== {}\n{}", workbook.shortened(yours), left, left.ends_with('\n') ? "" : "\n",
               workbook.shortened(other), right);
  }
}

std::string not_yet(State state) {
  switch (state) {
    case State::not_started:
      return "is not started";
    case State::changed:
      return "has changed since its last check";
    default:
      return "has not passed yet";
  }
}

int compare(const CompareOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  const std::vector<workbook::ExerciseInfo> exercises = find_exercises(options.lab);
  choose_tree(true);
  Progress progress = Progress::load(workbook);
  int code = ExitCode::fine;
  for (const workbook::ExerciseInfo& exercise : exercises) {
    const State state = state_of(workbook, exercise, progress.of(exercise));
    if (state == State::passed || options.anyway) {
      print_both(exercise);
      continue;
    }
    const std::string name = workbook.short_name(exercise);
    say("lab {} {}; its solution is shown once it has passed, or with --anyway\n  next: {}\n", name,
        not_yet(state), lab_command("check " + name));
    code = ExitCode::not_passed;
  }
  return code;
}

}  // namespace

void add_compare(CommandLine& line) {
  auto [verb, options] = line.add<CompareOptions>(
      "compare", "after a pass: your file and the reference solution side by side", compare);
  verb.add_option("LAB", options.lab, lab_words())->required();
  verb.add_flag("--anyway", options.anyway, "before it has passed too");
}

}  // namespace cli
