// SPDX-License-Identifier: MIT
#include "cli/measured.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/program.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "report/terminal/bars.hpp"
#include "report/terminal/progress_bar.hpp"

namespace cli {

measure::RunReport measured_run(const RunDescription& description, workbook::Tree tree,
                                const problems::Input& input, measure::RunOptions options) {
  const workbook::Workbook& workbook = workbook::here();
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
  const judge::RunnerSettings settings = judge::runner_settings(
      workbook.runner(description.exercise, tree, description.backend), description.backend);
  options.reference = &problems::reference_of(description.exercise.problem);
  options.backend = description.backend;
  options.binning = description.binning;
  if (description.backend == facts::Backend::gpu)
    options.highest_clock_mhz = highest_clock_mhz(measure::gpu_device(workbook));
  options.progress = [&bar](double fraction) { bar.update(fraction); };
  return measure::run(settings, input, options);
}

std::string run_text(const RunDescription& description) {
  return fmt::format("{} {} on {}: {} bytes of {}, binning {}", description.exercise.lab,
                     description.exercise.name, name_of(description.backend),
                     report::with_separators(description.length), description.input, description.binning);
}

std::string launch_text(const RunDescription& description, const measure::RunReport& report) {
  if (report.launches == 0 || !description.exercise.launched) return {};
  return fmt::format("{}{}\n", report::shape_text(report.grid, report.block),
                     report.launches > 1
                         ? fmt::format("; {} launches, one for each piece of the input", report.launches)
                         : "");
}

std::string clock_text(const measure::RunReport& report) {
  if (report.dropped == 0) return {};
  const double highest = measure::highest_clock_mhz(measure::gpu_device(workbook::here()));
  return fmt::format(
      "{} samples were dropped: the GPU's clock was below {:.0f} MHz, {:.0f} % of its {:.0f}; let it cool, "
      "and measure again\n",
      report.dropped, measure::slowest_clock * highest, 100 * measure::slowest_clock, highest);
}

std::optional<unsigned> launch_number(std::optional<std::uint64_t> number) {
  if (!number) return std::nullopt;
  return static_cast<unsigned>(std::min<std::uint64_t>(*number, 0xffffffffu));
}

int exit_code_of(const facts::Finding& finding) {
  switch (finding.verdict) {
    case facts::Verdict::pass:
      return ExitCode::fine;
    case facts::Verdict::unavailable:
      return ExitCode::machine;
    default:
      return ExitCode::not_passed;
  }
}

}  // namespace cli
