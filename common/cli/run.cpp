// SPDX-License-Identifier: MIT
#include <fmt/core.h>


#include "cli/errors.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/selection.hpp"
#include "cli/verbs.hpp"
#include "histogram/binnings.hpp"
#include "report/bars.hpp"

namespace cli {

namespace {

void print(const RunDescription& description, const measure::RunReport& report) {
  const report::Terminal terminal = report::Terminal::of_output();
  const judge::Workbook& workbook = judge::workbook();
  fmt::print("{}\n", run_text(description));
  if (!report.bins.empty()) {
    fmt::print("\n{}\n", report::histogram_bars(report.bins, *histogram::find_binning(description.binning), terminal.columns));
  }
  fmt::print("{}", launch_text(description, report));
  if (report.time_ms) {
    fmt::print("{:.4g} ms, quartiles {:.4g} to {:.4g}, {} samples; {:.4g} GB/s (zeroing the histogram not counted)\n", report.time_ms->median,
               report.time_ms->q1, report.time_ms->q3, report.time_ms->samples, report.throughput_gb_s);
  } else if (description.backend == judge::Backend::sim && report.launches > 0) {
    fmt::print("not timed: the simulator counts, it does not run at a GPU's speed\n");
  }
  for (const auto& [name, value] : report.counters) {
    if (value > 0) fmt::print("  {:<25} {:>15}\n", name, report::with_separators(value));
  }
  if (report.finding.verdict == judge::Verdict::pass) {
    fmt::print("{}: equal to the CPU's count\n", verdict_text(report.finding.verdict, terminal));
  } else {
    fmt::print("{}", finding_text(workbook, description.exercise, report.finding, terminal));
  }
}

}  // namespace

int run(const RunOptions& options) {
  const judge::ExerciseInfo exercise = find_exercise(options.lab);
  require_binning(options.binning);
  const judge::Backend backend = choose_backend(options.on, exercise);
  // A CPU counts as much as the backend that it is compared with.
  const std::uint64_t usual = default_length(backend == judge::Backend::cpu && present_backends() != std::vector{judge::Backend::sim} ? judge::Backend::gpu : backend);
  const ChosenInput chosen = choose_input(options.input, options.length, usual, options.seed.value_or(1));
  const RunDescription description{exercise, backend, options.binning, chosen.name, chosen.input->length()};
  const measure::RunReport report =
      measured_run(description, choose_tree(options.solution), *chosen.input, {.block = launch_number(options.block), .grid = launch_number(options.grid)});
  if (options.json) {
    fmt::print("{}\n", run_json(description, report));
  } else {
    print(description, report);
  }
  return exit_code_of(report.finding);
}

}  // namespace cli
