// SPDX-License-Identifier: MIT
// judge-submissions LAB/EXERCISE BACKEND [--sample] [--only WORDS]: makes the runners of the exercise's submissions, judges
// them, and holds each to its path: wrong_answer/tail_missed-grid_rounded_down.cu must get the verdict wrong_answer with the
// diagnosis tail_missed, race/no_atomic.cu the verdict race with whatever diagnosis. A line in the file's head says where a
// backend tells less or other things: "// on a GPU: wrong_answer not_deterministic", or "// on the simulator: pass" of what
// only longer inputs show than it runs; on a GPU those that have one are judged.
// Exits 1 if any verdict is another, 77 (a skip, with its reason) where no GPU answers, unless WORKBOOK_REQUIRE names it.
// With --sample it takes only those that are the first of all in something: the first of their exercise, or the first with
// their verdict and diagnosis; --only takes those whose paths contain the words. --list prints what a sample leaves out.
//
// The seed is 42, or WORKBOOK_SEED. With WORKBOOK_SEEDS=20 each submission is then judged with 20 fresh seeds as well; with
// WORKBOOK_SEEDS_ONE_OF=8 one submission of 8 is, others in each run. With WORKBOOK_SEEDS_FROM=1b2c3d4e, such as the beginning
// of a commit's name, the seeds and the choice of submissions are the same for the same number.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
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

std::uint64_t number_in(const char* variable, std::uint64_t otherwise) {
  const char* const given = std::getenv(variable);
  return given ? std::strtoull(given, nullptr, 10) : otherwise;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Judges with one seed; says so if the verdict is another than expected, and otherwise where `always`.
bool judge_with(const workbook::Target& unit, std::uint64_t seed, bool always) {
  const auto begin = std::chrono::steady_clock::now();
  const judge::CheckReport report = judge::check_runner(judge::runner_settings(unit), unit.exercise, unit.backend, {.seed = seed});
  const bool as_expected = holds(expected_of(unit.source, unit.backend), report.finding);
  if (as_expected && !always) return true;
  fmt::print("{} {} (seed {}, {:.2f} s)\n  {} {}: {}\n", as_expected ? "ok" : "NOT AS EXPECTED", unit.source, seed, seconds_since(begin),
             name_of(report.finding.verdict), report.finding.diagnosis, report.finding.message);
  if (!report.finding.missing.empty()) fmt::print("  reason: {}\n", report.finding.missing);
  for (const facts::Finding& finding : report.further) fmt::print("  also {} {}: {}\n", name_of(finding.verdict), finding.diagnosis, finding.message);
  if (!as_expected) {
    fmt::print("  again: WORKBOOK_SEED={} {}/tests/submissions/judge-submissions {}/{} {} --only {}\n", seed, workbook::here().build_root,
               unit.exercise.lab, unit.exercise.name, name_of(unit.backend), std::filesystem::path(unit.source).filename().string());
  }
  std::fflush(stdout);
  return as_expected;
}

// Where seeds that nobody has tried come from.
std::mt19937 fresh_numbers() {
  const char* const from = std::getenv("WORKBOOK_SEEDS_FROM");
  return std::mt19937(from ? static_cast<unsigned>(std::strtoul(from, nullptr, 16)) : std::random_device()());
}

// With `fresh` seeds after the usual one.
bool judge_submission(const workbook::Target& unit, std::uint64_t fresh, std::mt19937& random) {
  bool as_expected = judge_with(unit, number_in("WORKBOOK_SEED", 42), true);
  if (fresh == 0) return as_expected;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t i = 0; i < fresh; ++i) as_expected &= judge_with(unit, random(), false);
  fmt::print("  with {} fresh seeds too: {:.2f} s\n", fresh, seconds_since(begin));
  return as_expected;
}

struct Arguments {
  std::vector<std::string> words;
  std::string only;
  bool sample = false, list = false;
};

std::optional<Arguments> arguments_of(int count, char** all) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string word = all[i];
    if (word == "--sample") {
      arguments.sample = true;
    } else if (word == "--list") {
      arguments.list = true;
    } else if (word == "--only" && i + 1 < count) {
      arguments.only = all[++i];
    } else {
      arguments.words.push_back(word);
    }
  }
  if (arguments.words.size() == (arguments.list ? 0 : 2)) return arguments;
  return std::nullopt;
}

}  // namespace

int main(int argument_count, char** words) {
  const auto arguments = arguments_of(argument_count, words);
  if (arguments && arguments->list) return list_left_out();
  const auto found = arguments ? workbook::here().find(arguments->words[0]) : std::vector<workbook::ExerciseInfo>{};
  const auto backend = facts::find_backend(arguments ? arguments->words[1] : "");
  if (found.size() != 1 || !backend) {
    fmt::print(stderr, "usage: judge-submissions LAB/EXERCISE sim|gpu|cpu [--sample] [--only WORDS], or judge-submissions --list\n");
    return 2;
  }
  if (*backend == facts::Backend::gpu && !measure::gpu_device(workbook::here()).works && !is_required("gpu")) {
    fmt::print("no GPU: {}\n", measure::gpu_device(workbook::here()).why_not);
    return skipped;
  }
  std::vector<workbook::Target> units = submissions(found.front(), *backend, arguments->sample);
  std::erase_if(units, [&](const workbook::Target& unit) { return unit.source.find(arguments->only) == std::string::npos; });
  const auto begin = std::chrono::steady_clock::now();
  if (const std::string printed = make_runners(units); !printed.empty()) {
    fmt::print(stderr, "{}", printed);
    return 1;
  }
  fmt::print("built in {:.1f} s\n", seconds_since(begin));
  const std::uint64_t seeds = number_in("WORKBOOK_SEEDS", 0), one_of = std::max<std::uint64_t>(number_in("WORKBOOK_SEEDS_ONE_OF", 1), 1);
  std::mt19937 random = fresh_numbers();
  const std::uint64_t turn = random() % one_of;
  std::size_t failures = 0;
  for (std::size_t i = 0; i < units.size(); ++i) failures += !judge_submission(units[i], i % one_of == turn ? seeds : 0, random);
  fmt::print("{}{} submissions, {} not as expected\n", arguments->sample ? "a sample of " : "", units.size(), failures);
  return failures > 0 || units.empty() ? 1 : 0;
}
