// SPDX-License-Identifier: MIT
// judge-exercise LAB/EXERCISE BACKEND: judges a reference solution whose runner has been built. Exits 0 for
// pass, 1 for any other verdict, 77 (a skip, with its reason) where the backend is not there, unless
// WORKBOOK_REQUIRE names it.
#include <fmt/core.h>

#include <random>

#include "judge/check.hpp"
#include "support/backends.hpp"

int main(int argument_count, char** arguments) {
  const workbook::Workbook& workbook = workbook::here();
  const std::vector<workbook::ExerciseInfo> found =
      argument_count == 3 ? workbook.find_with_variants(arguments[1]) : std::vector<workbook::ExerciseInfo>{};
  const auto named = facts::find_backend(argument_count == 3 ? arguments[2] : "");
  if (found.size() != 1 || !named) {
    fmt::print(stderr, "usage: judge-exercise LAB/EXERCISE sim|gpu|cpu\n");
    return 2;
  }
  const facts::Backend backend = *named;
  const std::uint64_t seed = std::random_device{}();
  const auto missing = judge::missing_backend(workbook, backend);
  const judge::CheckReport report =
      missing ? judge::CheckReport{.finding = *missing}
              : judge::check_runner(
                    judge::runner_settings(
                        workbook.runner(found.front(), workbook::Tree::solution, workbook.judged_on(backend)),
                        backend),
                    found.front(), backend, {.seed = seed});
  fmt::print("{} (seed {}): {}\n", name_of(report.finding.verdict), seed, report.finding.message);
  for (const facts::Finding& finding : report.further)
    fmt::print("also {}: {}\n", name_of(finding.verdict), finding.message);
  if (report.finding.verdict == facts::Verdict::unavailable && !is_required(arguments[2])) return skipped;
  return report.finding.verdict == facts::Verdict::pass ? 0 : 1;
}
