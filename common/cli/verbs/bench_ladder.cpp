// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/measured.hpp"
#include "cli/program.hpp"
#include "cli/recorded.hpp"
#include "cli/selection.hpp"
#include "cli/verbs/bench.hpp"
#include "cli/verbs/ladder_table.hpp"
#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "report/terminal/bars.hpp"
#include "report/terminal/progress_bar.hpp"

namespace cli {

namespace {

LadderRow row_of(const measure::Rung& rung) {
  return {.name = rung.peer ? rung.peer->description : exercise_title(rung.exercise),
          .is_lab = !rung.peer,
          .on_gpu = rung.backend == facts::Backend::gpu,
          .is_limit = rung.peer && rung.peer->name == "read",
          .finding = rung.report.finding,
          .time_ms = rung.report.time_ms,
          .throughput_gb_s = rung.report.throughput_gb_s};
}

void print_rungs(const std::vector<measure::Rung>& rungs) {
  std::vector<LadderRow> rows;
  for (const measure::Rung& rung : rungs) rows.push_back(row_of(rung));
  print_ladder(rows);
  for (const measure::Rung& rung : rungs) {
    if (rung.report.dropped > 0) fmt::print("{}: {}", row_of(rung).name, clock_text(rung.report));
  }
}

RunDescription description_of(const measure::Rung& rung, const std::string& binning, const std::string& input,
                              std::uint64_t length) {
  return {rung.exercise, rung.backend, binning, input, length};
}

}  // namespace

int bench_ladder(const BenchOptions& options, const BenchPlan& plan) {
  const workbook::Workbook& workbook = workbook::here();
  std::vector<std::pair<RunDescription, measure::RunReport>> rows;
  int exit_code = ExitCode::fine;
  if (!options.json) fmt::print("On {}\n", measure::gpu_device(workbook).properties.at("name"));
  for (const std::string& input_name : plan.inputs) {
    const ChosenInput chosen =
        choose_input(*problems::find_problem(plan.exercises.front().problem), plan.binnings.front(),
                     input_name, plan.length, plan.length, plan.seed);
    for (const std::string& binning : plan.binnings) {
      report::ProgressBar bar("lab bench");
      measure::LadderOptions ladder_options{
          .reference = &problems::reference_of(plan.exercises.front().problem),
          .tree = plan.tree,
          .binning = binning};
      ladder_options.progress = [&](const std::string& what, double fraction) {
        bar.update(fmt::format("{}, {:.0f} % done", what, 100 * fraction));
      };
      const std::vector<measure::Rung> rungs = measure::ladder(workbook, *chosen.input, ladder_options);
      bar.clear();
      for (const measure::Rung& rung : rungs) {
        const RunDescription description = description_of(rung, binning, chosen.name, plan.length);
        rows.emplace_back(description, rung.report);
        keep_record({.kind = "bench",
                     .tree = rung.peer ? "peer" : std::string(name_of(plan.tree)),
                     .seed = plan.seed},
                    description, rung.report);
        const bool started = rung.report.finding.verdict != facts::Verdict::not_started;
        if (started) exit_code = std::max(exit_code, exit_code_of(rung.report.finding));
      }
      if (options.json) continue;
      fmt::print("\n{} bytes of {}, binning {}\n\n", report::with_separators(plan.length), chosen.name,
                 binning);
      print_rungs(rungs);
    }
  }
  if (options.json) {
    fmt::print("{}\n", runs_json(workbook::here(), rows));
  } else {
    fmt::print(
        "\nms: the kernel alone, median; contenders took turns, the L2 cache was cold, each result was "
        "checked (docs/timing.md)\n"
        "~: the quartiles overlap, so neither is called faster. Kept in {}\n",
        workbook.shortened(measure::records_file(workbook)));
  }
  return exit_code;
}

}  // namespace cli
