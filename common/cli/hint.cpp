// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "cli/errors.hpp"
#include "cli/hints.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/verbs.hpp"

namespace cli {

namespace {

int hint(const std::string& lab, bool again) {
  const judge::Workbook& workbook = judge::workbook();
  const judge::ExerciseInfo exercise = find_exercise(lab);
  const std::string path = workbook.lab_file(exercise, exercise.name + ".hints.md");
  std::ifstream file(path);
  const std::vector<std::string> hints = read_hints(file);
  if (hints.empty()) throw MachineError(fmt::format("no hints in {}", workbook.shortened(path)));
  Progress progress = Progress::load(workbook);
  unsigned& shown = progress.of(exercise).hints;
  if (again) shown = 0;
  if (shown >= hints.size()) {
    fmt::print("All {} hints were shown; from the first again: lab hint {} --again\n", hints.size(), lab);
    return ExitCode::fine;
  }
  fmt::print("hint {} of {}\n{}\n", shown + 1, hints.size(), hints[shown]);
  ++shown;
  progress.save();
  return ExitCode::fine;
}

}  // namespace

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

void add_hint(CLI::App& app, int& exit_code) {
  auto lab = std::make_shared<std::string>();
  auto again = std::make_shared<bool>(false);
  CLI::App* const verb = app.add_subcommand("hint", "the next hint, one at a time");
  verb->add_option("LAB", *lab, "04, 4, shared, 05/interleaved ...")->required();
  verb->add_flag("--again", *again, "from the first hint again");
  verb->callback([lab, again, &exit_code] { exit_code = hint(*lab, *again); });
}

}  // namespace cli
