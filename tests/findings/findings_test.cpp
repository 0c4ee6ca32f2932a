// SPDX-License-Identifier: MIT
// Mistakes as students make them (mistakes.txt), each with what `lab check` prints (messages.txt). To record
// the messages anew: WORKBOOK_RECORD=1 meson test -C build --suite submissions 'findings, all'. With
// WORKBOOK_MISTAKE=WORDS too, those whose titles contain the words are printed, and nothing is recorded.
#include <doctest/doctest.h>
#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "cli/messages.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "judge/warnings.hpp"
#include "os/files.hpp"

namespace {

struct Mistake {
  std::string base, name;
  std::vector<std::string> edits;

  std::string title() const { return base + " " + name; }
};

std::string folder() { return workbook::here().source_root + "/tests/findings/"; }

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<Mistake> mistakes() {
  std::vector<Mistake> all;
  for (const std::string& line : lines_of(folder() + "mistakes.txt")) {
    if (line.rfind("=== ", 0) == 0) {
      std::istringstream words(line.substr(4));
      words >> all.emplace_back().base >> all.back().name;
    } else if (!all.empty()) {
      all.back().edits.push_back(line);
    }
  }
  return all;
}

// The index of the `count`-th such line.
std::size_t find_line(const std::vector<std::string>& lines, const std::string& wanted, int count) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] == wanted && --count == 0) return i;
  }
  FAIL("no such line: " << wanted);
  return 0;
}

// Edits speak of the base as it is, so what goes is blanked first and taken out at the end.
std::string edited(const Mistake& mistake, const std::string& extension) {
  std::vector<std::string> lines = lines_of(folder() + "bases/" + mistake.base + extension);
  std::vector<std::string> behind(lines.size());
  std::vector<bool> goes(lines.size());
  std::size_t at = 0;
  for (const std::string& edit : mistake.edits) {
    if (edit.rfind("+", 0) == 0) {
      behind[at] += edit.substr(1) + "\n";
      continue;
    }
    const std::size_t blank = edit.find(' ');
    at = find_line(lines, edit.substr(blank + 1), blank > 1 ? std::stoi(edit.substr(1)) : 1);
    goes[at] = edit.front() == '-';
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (goes[i] ? "" : lines[i] + "\n") + behind[i];
  return text;
}

workbook::ExerciseInfo exercise_of(const Mistake& mistake) {
  const std::string number = mistake.base.substr(0, 2), rest = mistake.base.substr(3);
  const std::vector<workbook::ExerciseInfo> all = workbook::here().find(number);
  return all.size() == 1 ? all.front() : workbook::here().find(number + "/" + rest).at(0);
}

judge::CheckReport checked(const Mistake& mistake) {
  const workbook::Workbook& workbook = workbook::here();
  const workbook::ExerciseInfo exercise = exercise_of(mistake);
  const std::string made = workbook.build_root + "/tests/findings/" + mistake.base + "-" + mistake.name;
  const std::string extension = std::filesystem::path(exercise.file).extension().string();
  workbook::Target target = workbook.target(exercise, workbook::Tree::student, facts::Backend::sim);
  std::filesystem::create_directories(made);
  target.source = made + "/histogram" + extension;
  target.runner = made + "/histogram.sim";
  const std::string text = edited(mistake, extension);
  if (os::read_file(target.source) != text) std::ofstream(target.source) << text;
  if (auto error = judge::build_runner(workbook, target))
    return {.exercise = exercise, .finding = std::move(*error)};
  judge::CheckReport report = judge::check_runner(judge::runner_settings(target), exercise,
                                                  facts::Backend::sim, {.seed = 1, .source = target.source});
  judge::add_warning(report, build::printed_of(workbook, target), target.source);
  return report;
}

// As `lab check` prints it, without the next command; and the diagnosis, which only its JSON has.
std::string shown(const judge::CheckReport& report) {
  const workbook::Workbook& workbook = workbook::here();
  std::istringstream lines(cli::finding_text(workbook, report.exercise, report.finding, report::Terminal{}) +
                           cli::notes_text(workbook, report.notes));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  next: ", 0) != 0) text += line + "\n";
  }
  if (!report.finding.diagnosis.empty()) text += "[" + report.finding.diagnosis + "]\n";
  return text;
}

// The verdict, and the diagnosis if there is one.
std::string judged_as(const std::string& text) {
  const std::size_t last = text.rfind("\n[");
  return text.substr(0, text.find(':')) + (last == std::string::npos ? "" : text.substr(last));
}

// Paths differ from machine to machine.
std::string without_folders(std::string text) {
  const std::string& root = workbook::here().build_root;
  for (std::size_t at; (at = text.find(root)) != std::string::npos;) text.erase(at, root.size() + 1);
  for (const std::string folder : {"build/tests/findings/", "tests/findings/"}) {
    for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.erase(at, folder.size());
  }
  return text;
}

std::string expected_of(const Mistake& mistake) {
  std::string text;
  bool is_its = false;
  for (const std::string& line : lines_of(folder() + "messages.txt")) {
    if (line.rfind("=== ", 0) == 0) {
      is_its = line == "=== " + mistake.title();
    } else if (is_its) {
      text += line + "\n";
    }
  }
  return text;
}

// Counts and columns are recorded with one compiler; other compilers may place a loop's accesses elsewhere.
bool is_recorded_compiler() {
  const char* const compiler = std::getenv("SIMULATOR_COMPILER_IS");
  return compiler && std::string(compiler) == "g++-12";
}

void check(const Mistake& mistake) {
  CAPTURE(mistake.title());
  const std::string told = without_folders(shown(checked(mistake))), expected = expected_of(mistake);
  if (is_recorded_compiler()) {
    CHECK(told == expected);
  } else {
    CHECK(judged_as(told) == judged_as(expected));
  }
}

}  // namespace

TEST_CASE("a sample of mistakes is told as recorded") {
  const std::vector<Mistake> all = mistakes();
  constexpr std::size_t step = 12;
  for (std::size_t i = 0; i < all.size(); i += step) check(all[i]);
}

TEST_CASE("every mistake is told as recorded") {
  const std::vector<Mistake> all = mistakes();
  CHECK(all.size() >= 90);
  if (!std::getenv("WORKBOOK_RECORD")) {
    for (const Mistake& mistake : all) check(mistake);
    return;
  }
  if (const char* const wanted = std::getenv("WORKBOOK_MISTAKE")) {
    for (const Mistake& mistake : all) {
      if (mistake.title().find(wanted) != std::string::npos)
        fmt::print("=== {}\n{}", mistake.title(), without_folders(shown(checked(mistake))));
    }
    return;
  }
  std::ofstream file(folder() + "messages.txt");
  for (const Mistake& mistake : all)
    file << "=== " << mistake.title() << "\n" << without_folders(shown(checked(mistake)));
}
