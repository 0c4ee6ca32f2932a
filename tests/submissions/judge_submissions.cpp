// SPDX-License-Identifier: MIT
// judge-submissions LAB/EXERCISE RUNNERS FILE...: builds the runners of submissions, judges them, and holds each to its
// path: wrong_answer/tail_missed-grid_rounded_down.cu must get the verdict wrong_answer with the diagnosis tail_missed,
// race/no_atomic.cu the verdict race with whatever diagnosis. RUNNERS is how the paths of the runners begin; then come
// verdict and name. The seed is 42, or WORKBOOK_SEED; exits 1 if any verdict is another.
#include <fmt/core.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "judge/build.hpp"
#include "judge/check.hpp"

namespace {

struct Expected {
  std::string verdict, diagnosis;
};

// No diagnosis in the name: a wrong answer must have none; of a race any will do.
Expected expected_of(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t dash = stem.find('-');
  return {file.parent_path().filename().string(), dash == std::string::npos ? "" : stem.substr(0, dash)};
}

bool holds(const Expected& expected, const judge::Finding& finding) {
  if (name_of(finding.verdict) != expected.verdict) return false;
  return finding.diagnosis == expected.diagnosis || (finding.verdict == judge::Verdict::race && expected.diagnosis.empty());
}

std::uint64_t seed() {
  const char* const given = std::getenv("WORKBOOK_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 42;
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + argument_count);
  const std::vector<judge::ExerciseInfo> found = words.size() > 2 ? judge::workbook().find(words[0]) : std::vector<judge::ExerciseInfo>{};
  if (found.size() != 1) {
    fmt::print(stderr, "usage: judge-submissions LAB/EXERCISE RUNNERS FILE...\n");
    return 2;
  }
  const judge::Backend backend = found.front().launched ? judge::Backend::sim : judge::Backend::cpu;
  const auto runner_of = [&](const std::filesystem::path& file) {
    return fmt::format("{}-{}-{}.{}", words[1], expected_of(file).verdict, file.stem().string(), name_of(backend));
  };
  std::vector<std::string> runners;
  for (std::size_t i = 2; i < words.size(); ++i) runners.push_back(runner_of(words[i]));
  const auto begin_of_build = std::chrono::steady_clock::now();
  if (const judge::CommandResult built = judge::build(judge::workbook(), runners); built.code != 0) {
    fmt::print(stderr, "{}", built.output);
    return 1;
  }
  fmt::print("built in {:.1f} s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_of_build).count());
  int failures = 0;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::filesystem::path file = words[i];
    const Expected expected = expected_of(file);
    const std::string runner = runner_of(file);
    const std::uint64_t chosen = seed();
    const auto begin = std::chrono::steady_clock::now();
    const judge::CheckReport report = judge::check_runner(judge::runner_settings(runner, backend), found.front(), {.backend = backend, .seed = chosen});
    fmt::print("{:.2f} s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    const bool as_expected = holds(expected, report.finding);
    failures += !as_expected;
    fmt::print("{} {} (seed {})\n  {} {}: {}\n", as_expected ? "ok" : "NOT AS EXPECTED", words[i], chosen, name_of(report.finding.verdict),
               report.finding.diagnosis, report.finding.message);
    for (const judge::Finding& finding : report.further) fmt::print("  also {} {}: {}\n", name_of(finding.verdict), finding.diagnosis, finding.message);
  }
  fmt::print("{} submissions, {} not as expected\n", words.size() - 2, failures);
  return failures > 0 ? 1 : 0;
}
