// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <fstream>

#include "cli/errors.hpp"
#include "cli/hints.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/verbs.hpp"

namespace cli {

std::string next_hint(const judge::Workbook& workbook, const judge::ExerciseInfo& exercise, ExerciseProgress& progress, bool again) {
  const std::string name = workbook.short_name(exercise);
  const std::string path = workbook.lab_file(exercise, exercise.name + ".hints.md");
  std::ifstream file(path);
  const std::vector<std::string> hints = read_hints(file);
  if (hints.empty()) throw MachineError(fmt::format("no hints in {}", workbook.shortened(path)));
  const std::string passed = state_of(workbook, exercise, progress) == State::passed ? fmt::format("lab {} has passed\n", name) : "";
  if (again) progress.hints = 0;
  if (progress.hints >= hints.size()) {
    return fmt::format("{}All {} hints were shown; from the first again: lab hint {} --again\n", passed, hints.size(), name);
  }
  ++progress.hints;
  return fmt::format("{}hint {} of {}\n{}\n", passed, progress.hints, hints.size(), hints[progress.hints - 1]);
}

int hint(const HintOptions& options) {
  const judge::ExerciseInfo exercise = find_exercise(options.lab);
  Progress progress = Progress::load(judge::workbook());
  fmt::print("{}", next_hint(judge::workbook(), exercise, progress.of(exercise), options.again));
  progress.save();
  return ExitCode::fine;
}

std::vector<std::string> read_hints(std::istream& text) {
  std::vector<std::string> hints;
  std::string hint;
  const auto finish = [&] {
    const std::size_t begin = hint.find_first_not_of('\n');
    if (begin != std::string::npos) hints.push_back(hint.substr(begin, hint.find_last_not_of('\n') - begin + 1));
    hint.clear();
  };
  for (std::string line; std::getline(text, line);) {
    if (line == "---") {
      finish();
    } else {
      hint += line + "\n";
    }
  }
  finish();
  return hints;
}

}  // namespace cli
