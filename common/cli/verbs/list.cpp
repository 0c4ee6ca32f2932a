// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "cli/progress.hpp"
#include "cli/speech.hpp"
#include "problems/problem.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

struct ListOptions {
  bool json = false;
};

// "0.3123", or nothing.
std::string best_text(const ExerciseProgress& entry) {
  return entry.best ? fmt::format("{:.4g}", entry.best->time_ms) : "";
}

std::string next_step(const workbook::Workbook& workbook) {
  const auto exercise = next_exercise(workbook);
  if (!exercise) return lab_command("tour");
  const std::string name = workbook.short_name(*exercise),
                    file = workbook.shortened(workbook.source_file(*exercise, workbook::Tree::student));
  switch (state_of(workbook, *exercise, Progress::load(workbook).of(*exercise))) {
    case State::missing:
      return fmt::format("{} is missing; to have it as it came: {}", file, lab_command("reset " + name));
    case State::not_started:
      return fmt::format("read {}, edit {}, then: {}",
                         workbook.shortened(workbook.lab_file(*exercise, "README.md")), file,
                         lab_command("check " + name));
    default:
      return lab_command("check " + name);
  }
}

// "passed, 3 attempts, best 0.3123 ms on gpu"
std::string standing(State state, const ExerciseProgress& entry) {
  std::string text = state_name(state, entry);
  if (entry.attempts > 0)
    text += fmt::format(", {} attempt{}", entry.attempts, entry.attempts == 1 ? "" : "s");
  if (entry.best) text += fmt::format(", best {} ms on {}", best_text(entry), entry.best->backend);
  return text;
}

// The path below labs/, which is the same for all and is printed once.
std::string below_labs(const workbook::ExerciseInfo& exercise) { return exercise.lab + "/" + exercise.file; }

int list(const ListOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  Progress progress = Progress::load(workbook);
  std::vector<ListEntry> entries;
  using Align = report::Table::Align;
  // With the widest contents 80 columns.
  const report::Table table(
      {{"file", Align::left, 30}, {"state", Align::left, 28}, {"attempts"}, {"best, ms"}});
  if (!options.json) say("in {}/\n{}", workbook.shortened(workbook.labs_dir), table.header());
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    const ExerciseProgress& entry = progress.of(exercise);
    const State state = state_of(workbook, exercise, entry);
    if (options.json) {
      entries.push_back({exercise, workbook.source_file(exercise, workbook::Tree::student),
                         state_name(state, entry), entry.attempts, entry.best});
    } else {
      say("{}", table.row({below_labs(exercise), state_name(state, entry), std::to_string(entry.attempts),
                           best_text(entry)}));
    }
  }
  if (options.json) {
    fmt::print("{}\n", list_json(entries));
  } else {
    say("next: {}\n", next_step(workbook));
  }
  return ExitCode::fine;
}

// The exercises that are extra, or are not: how many have passed, and a line for each.
struct Standings {
  unsigned passed = 0, all = 0;
  std::string lines;
};

Standings standings_of(const workbook::Workbook& workbook, bool extra) {
  Progress progress = Progress::load(workbook);
  const report::Terminal terminal = report::Terminal::of_output();
  Standings standings;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    if (exercise.is_extra() != extra) continue;
    const ExerciseProgress& entry = progress.of(exercise);
    const State state = state_of(workbook, exercise, entry);
    const report::Colour colour = state == State::passed ? report::Colour::green : report::Colour::none;
    ++standings.all;
    if (state == State::passed) ++standings.passed;
    standings.lines += terminal.paint(colour, fmt::format("  {} {}", workbook.short_name(exercise),
                                                          standing(state, entry))) +
                       "\n";
  }
  return standings;
}

// `lab` without a verb: how far the student is, and what comes next.
int overview() {
  const workbook::Workbook& workbook = workbook::here();
  const Standings course = standings_of(workbook, false), extra = standings_of(workbook, true);
  say("{}, step by step: {} of {} exercises passed\n{}", problems_in_use().front()->title(), course.passed,
      course.all, course.lines);
  if (extra.all > 0) say("extra labs: {} of {} exercises passed\n{}", extra.passed, extra.all, extra.lines);
  say("next: {}\n", next_step(workbook));
  say("({} checks whenever you save; {} lists all that lab can do)\n", lab_command("watch"),
      lab_command("--help"));
  return ExitCode::fine;
}

}  // namespace

void add_list(CommandLine& line) {
  line.set_without_verb(overview);
  auto [verb, options] = line.add<ListOptions>("list", "the labs, their exercises, the state of each", list);
  verb.add_flag("--json", options.json, json_words);
}

}  // namespace cli
