// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "cli/command_line.hpp"
#include "cli/progress.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "os/files.hpp"
#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

std::string next_hint(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise, bool again,
                      bool refill) {
  const std::string name = workbook.short_name(exercise);
  const std::string path = workbook.lab_file(exercise, exercise.name + ".hints.md");
  std::vector<std::string> hints = read_hints(os::read_file(path).value_or(""));
  if (hints.empty()) throw facts::MachineError(fmt::format("no hints in {}", workbook.shortened(path)));
  if (refill) std::ranges::transform(hints, hints.begin(), report::refilled);
  std::string text;
  Progress::change(workbook, exercise, [&](ExerciseProgress& entry) {
    if (state_of(workbook, exercise, entry) == State::passed) text = fmt::format("lab {} has passed\n", name);
    if (again) entry.hints = 0;
    if (entry.hints >= hints.size()) {
      text += fmt::format("hint {} of {}, the last; from the first again: {}\n{}\n", hints.size(),
                          hints.size(), lab_command("hint " + name + " --again"), hints.back());
      return;
    }
    text += fmt::format("hint {} of {}\n{}\n", entry.hints + 1, hints.size(), hints[entry.hints]);
    ++entry.hints;
  });
  return text;
}

namespace {

struct HintOptions {
  std::string lab;
  bool again = false;
};

int hint(const HintOptions& options) {
  say("{}", next_hint(workbook::here(), find_exercise(options.lab), options.again,
                      report::Terminal::of_output().live));
  return ExitCode::fine;
}

}  // namespace

void add_hint(CommandLine& line) {
  auto [verb, options] = line.add<HintOptions>("hint", "the next hint, one at a time", hint);
  verb.add_option("LAB", options.lab, lab_words())->required();
  verb.add_flag("--again", options.again, "from the first hint again");
}

std::vector<std::string> read_hints(const std::string& text) {
  std::vector<std::string> hints;
  std::string hint;
  const auto finish = [&] {
    const std::size_t begin = hint.find_first_not_of('\n');
    if (begin != std::string::npos)
      hints.push_back(hint.substr(begin, hint.find_last_not_of('\n') - begin + 1));
    hint.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
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
