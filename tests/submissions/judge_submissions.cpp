// SPDX-License-Identifier: MIT
// judge-submissions LAB/EXERCISE BACKEND [--sample]: makes the runners of the exercise's submissions, judges them, and holds each
// to its path: wrong_answer/tail_missed-grid_rounded_down.cu must get the verdict wrong_answer with the diagnosis
// tail_missed, race/no_atomic.cu the verdict race with whatever diagnosis. A line in the file's head says where a backend
// tells less or other things: "// on a GPU: wrong_answer not_deterministic", or "// on the simulator: pass" of what only
// longer inputs show than it runs; on a GPU those that have one are judged. The
// seed is 42, or WORKBOOK_SEED. Exits 1 if any verdict is another, 77 (a skip, with its reason) where no GPU answers,
// unless WORKBOOK_REQUIRE names it. With --sample it takes only those that are the first of all in something: the first of
// their exercise, or the first with their verdict and diagnosis. --list prints what a sample leaves out.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "support/backends.hpp"
#include "support/make_runners.hpp"

namespace {

struct Expected {
  std::string verdict, diagnosis;
  auto operator<=>(const Expected&) const = default;
};

// No diagnosis in the name: a wrong answer must have none; of a race any will do.
Expected expected_by_path(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t dash = stem.find('-');
  return {file.parent_path().filename().string(), dash == std::string::npos ? "" : stem.substr(0, dash)};
}

// By the line in the file's head that is for this backend; nullopt if there is none.
std::optional<Expected> expected_by_head(const std::filesystem::path& file, facts::Backend backend) {
  const std::string begin = backend == facts::Backend::gpu   ? "// on a GPU: "
                            : backend == facts::Backend::sim ? "// on the simulator: "
                                                             : "// on the CPU: ";
  std::ifstream source(file);
  for (std::string line; std::getline(source, line) && line.rfind("//", 0) == 0;) {
    if (line.rfind(begin, 0) != 0) continue;
    Expected expected;
    std::istringstream(line.substr(begin.size())) >> expected.verdict >> expected.diagnosis;
    return expected;
  }
  return std::nullopt;
}

Expected expected_of(const std::filesystem::path& file, facts::Backend backend) {
  return expected_by_head(file, backend).value_or(expected_by_path(file));
}

std::string folder_of(const workbook::ExerciseInfo& exercise) {
  const workbook::Workbook& workbook = workbook::here();
  const std::string folder = workbook.source_root + "/tests/submissions/" + exercise.lab;
  return workbook.is_only_one(exercise) ? folder : folder + "/" + exercise.name;
}

// The exercise's submissions, sorted.
std::vector<std::filesystem::path> files_of(const workbook::ExerciseInfo& exercise) {
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_of(exercise), none)) {
    if (entry.path().extension() == std::filesystem::path(exercise.file).extension()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// By rule, so that it stays the same from run to run and covers what is added later.
std::set<std::filesystem::path> sample() {
  std::set<std::filesystem::path> chosen;
  std::set<Expected> seen;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    bool first = true;
    for (const std::filesystem::path& file : files_of(exercise)) {
      const bool is_new = seen.insert(expected_by_path(file)).second;
      if (is_new || first) chosen.insert(file);
      first = false;
    }
  }
  return chosen;
}

// The units of the exercise's submissions for this backend.
std::vector<workbook::Target> submissions(const workbook::ExerciseInfo& exercise, facts::Backend backend, bool only_sample) {
  const std::set<std::filesystem::path> chosen = sample();
  std::vector<workbook::Target> units;
  for (const std::filesystem::path& file : files_of(exercise)) {
    if (backend == facts::Backend::gpu && !expected_by_head(file, backend)) continue;
    if (only_sample && chosen.count(file) == 0) continue;
    workbook::Target& unit = units.emplace_back(workbook::here().target(exercise, workbook::Tree::student, backend));
    unit.source = file;
    unit.runner = fmt::format("{}/tests/submissions/{}-{}/{}-{}.{}", workbook::here().build_root, exercise.lab, exercise.name,
                              file.parent_path().filename().string(), file.stem().string(), name_of(backend));
  }
  return units;
}

int list_left_out() {
  const std::set<std::filesystem::path> chosen = sample();
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    for (const std::filesystem::path& file : files_of(exercise)) {
      if (chosen.count(file) == 0) fmt::print("{}\n", workbook::here().shortened(file));
    }
  }
  return 0;
}

bool holds(const Expected& expected, const facts::Finding& finding) {
  if (name_of(finding.verdict) != expected.verdict) return false;
  return finding.diagnosis == expected.diagnosis || (finding.verdict == facts::Verdict::race && expected.diagnosis.empty());
}

std::uint64_t seed() {
  const char* const given = std::getenv("WORKBOOK_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 42;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

bool judge_submission(const workbook::Target& unit) {
  const std::uint64_t chosen = seed();
  const auto begin = std::chrono::steady_clock::now();
  const judge::CheckReport report = judge::check_runner(judge::runner_settings(unit), unit.exercise, unit.backend, {.seed = chosen});
  const bool as_expected = holds(expected_of(unit.source, unit.backend), report.finding);
  fmt::print("{} {} (seed {}, {:.2f} s)\n  {} {}: {}\n", as_expected ? "ok" : "NOT AS EXPECTED", unit.source, chosen, seconds_since(begin),
             name_of(report.finding.verdict), report.finding.diagnosis, report.finding.message);
  for (const facts::Finding& finding : report.further) fmt::print("  also {} {}: {}\n", name_of(finding.verdict), finding.diagnosis, finding.message);
  return as_expected;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::string option = argument_count == 2 || argument_count == 4 ? arguments[argument_count - 1] : "";
  if (argument_count == 2 && option == "--list") return list_left_out();
  const bool only_sample = option == "--sample", named = argument_count == 3 || (argument_count == 4 && only_sample);
  const auto found = named ? workbook::here().find(arguments[1]) : std::vector<workbook::ExerciseInfo>{};
  const auto backend = facts::find_backend(named ? arguments[2] : "");
  if (found.size() != 1 || !backend) {
    fmt::print(stderr, "usage: judge-submissions LAB/EXERCISE sim|gpu|cpu [--sample], or judge-submissions --list\n");
    return 2;
  }
  if (*backend == facts::Backend::gpu && !measure::gpu_device(workbook::here()).works && !is_required("gpu")) {
    fmt::print("no GPU: {}\n", measure::gpu_device(workbook::here()).why_not);
    return skipped;
  }
  const std::vector<workbook::Target> units = submissions(found.front(), *backend, only_sample);
  const auto begin = std::chrono::steady_clock::now();
  if (const std::string printed = make_runners(units); !printed.empty()) {
    fmt::print(stderr, "{}", printed);
    return 1;
  }
  fmt::print("built in {:.1f} s\n", seconds_since(begin));
  std::size_t failures = 0;
  for (const workbook::Target& unit : units) failures += !judge_submission(unit);
  fmt::print("{}{} submissions, {} not as expected\n", only_sample ? "a sample of " : "", units.size(), failures);
  return failures > 0 || units.empty() ? 1 : 0;
}
