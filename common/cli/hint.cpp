// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <fstream>

#include "cli/errors.hpp"
#include "cli/hints.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/verbs.hpp"

namespace cli {

int hint(const HintOptions& options) {
  const judge::Workbook& workbook = judge::workbook();
  const judge::ExerciseInfo exercise = find_exercise(options.lab);
  const std::string path = workbook.lab_file(exercise, exercise.name + ".hints.md");
  std::ifstream file(path);
  const std::vector<std::string> hints = read_hints(file);
  if (hints.empty()) throw MachineError(fmt::format("no hints in {}", workbook.shortened(path)));
  Progress progress = Progress::load(workbook);
  unsigned& shown = progress.of(exercise).hints;
  if (options.again) shown = 0;
  if (shown >= hints.size()) {
    fmt::print("All {} hints were shown; from the first again: lab hint {} --again\n", hints.size(), options.lab);
    return ExitCode::fine;
  }
  fmt::print("hint {} of {}\n{}\n", shown + 1, hints.size(), hints[shown]);
  ++shown;
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
