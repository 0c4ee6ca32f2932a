// SPDX-License-Identifier: MIT
// judge-submissions LAB/EXERCISE BACKEND RUNNERS FILE...: builds the runners of submissions, judges them, and holds each
// to its path: wrong_answer/tail_missed-grid_rounded_down.cu must get the verdict wrong_answer with the diagnosis
// tail_missed, race/no_atomic.cu the verdict race with whatever diagnosis. A line in the file's head says where a backend
// tells less or other things: "// on a GPU: wrong_answer not_deterministic". RUNNERS is how the paths of the runners
// begin; then come verdict and name. The seed is 42, or WORKBOOK_SEED. Exits 1 if any verdict is another, 77 (a skip, with
// its reason) where no GPU answers, unless WORKBOOK_REQUIRE names it.
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "judge/build.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "support/backends.hpp"

namespace {

struct Expected {
  std::string verdict, diagnosis;
};

// No diagnosis in the name: a wrong answer must have none; of a race any will do.
Expected expected_by_path(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t dash = stem.find('-');
  return {file.parent_path().filename().string(), dash == std::string::npos ? "" : stem.substr(0, dash)};
}

// By the line in the file's head that is for this backend, if there is one.
Expected expected_of(const std::filesystem::path& file, facts::Backend backend) {
  const std::string begin = backend == facts::Backend::gpu ? "// on a GPU: " : "// on the CPU: ";
  std::ifstream source(file);
  for (std::string line; backend != facts::Backend::sim && std::getline(source, line) && line.rfind("//", 0) == 0;) {
    if (line.rfind(begin, 0) != 0) continue;
    Expected expected;
    std::istringstream(line.substr(begin.size())) >> expected.verdict >> expected.diagnosis;
    return expected;
  }
  return expected_by_path(file);
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

bool judge_submission(const workbook::ExerciseInfo& exercise, facts::Backend backend, const std::string& runner, const std::string& file) {
  const std::uint64_t chosen = seed();
  const auto begin = std::chrono::steady_clock::now();
  const judge::CheckReport report = judge::check_runner(judge::runner_settings(runner, backend), exercise, {.backend = backend, .seed = chosen});
  const bool as_expected = holds(expected_of(file, backend), report.finding);
  fmt::print("{} {} (seed {}, {:.2f} s)\n  {} {}: {}\n", as_expected ? "ok" : "NOT AS EXPECTED", file, chosen, seconds_since(begin),
             name_of(report.finding.verdict), report.finding.diagnosis, report.finding.message);
  for (const facts::Finding& finding : report.further) fmt::print("  also {} {}: {}\n", name_of(finding.verdict), finding.diagnosis, finding.message);
  return as_expected;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + argument_count);
  const auto found = words.size() > 3 ? workbook::here().find(words[0]) : std::vector<workbook::ExerciseInfo>{};
  const auto backend = facts::find_backend(words.size() > 3 ? words[1] : "");
  if (found.size() != 1 || !backend) {
    fmt::print(stderr, "usage: judge-submissions LAB/EXERCISE sim|gpu|cpu RUNNERS FILE...\n");
    return 2;
  }
  if (*backend == facts::Backend::gpu && !measure::gpu_device(workbook::here()).works && !is_required("gpu")) {
    fmt::print("no GPU: {}\n", measure::gpu_device(workbook::here()).why_not);
    return skipped;
  }
  const std::vector<std::string> files(words.begin() + 3, words.end());
  std::vector<std::string> runners;
  for (const std::filesystem::path file : files) {
    runners.push_back(fmt::format("{}-{}-{}.{}", words[2], file.parent_path().filename().string(), file.stem().string(), words[1]));
  }
  const auto begin = std::chrono::steady_clock::now();
  if (const os::CommandResult built = judge::build(workbook::here(), runners); built.code != 0) {
    fmt::print(stderr, "{}", built.output);
    return 1;
  }
  fmt::print("built in {:.1f} s\n", seconds_since(begin));
  std::size_t failures = 0;
  for (std::size_t i = 0; i < files.size(); ++i) failures += !judge_submission(found.front(), *backend, runners[i], files[i]);
  fmt::print("{} submissions, {} not as expected\n", files.size(), failures);
  return failures > 0 ? 1 : 0;
}
