// SPDX-License-Identifier: MIT
#include "cli/measured.hpp"

#include <fmt/core.h>

#include "cli/verbs.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "report/progress_bar.hpp"

namespace cli {

measure::RunReport measured_run(const RunDescription& description, judge::Tree tree, const histogram::Input& input,
                                std::optional<unsigned> block, std::optional<unsigned> grid) {
  const judge::Workbook& workbook = judge::workbook();
  report::ProgressBar bar(fmt::format("{} on {}", description.exercise.lab, name_of(description.backend)));
  measure::RunReport report;
  if (auto missing = judge::missing_backend(workbook, description.backend)) {
    report.finding = std::move(*missing);
    return report;
  }
  bar.update("building");
  if (auto error = judge::build_runner(workbook, description.exercise, tree, description.backend)) {
    report.finding = std::move(*error);
    return report;
  }
  const judge::RunnerSettings settings =
      judge::runner_settings(workbook.runner(description.exercise, tree, description.backend), description.backend);
  return measure::run(settings, input,
                      {.backend = description.backend,
                       .binning = description.binning,
                       .block = block,
                       .grid = grid,
                       .progress = [&bar](double fraction) { bar.update(fraction); }});
}

int exit_code_of(const judge::Finding& finding) {
  switch (finding.verdict) {
    case judge::Verdict::pass: return ExitCode::fine;
    case judge::Verdict::unavailable: return ExitCode::machine;
    default: return ExitCode::not_passed;
  }
}

}  // namespace cli
