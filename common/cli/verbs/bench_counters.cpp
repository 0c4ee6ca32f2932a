// SPDX-License-Identifier: MIT
// The ladder without a GPU: what each lab makes the machine do, in the simulator's counters.
#include <fmt/core.h>

#include "cli/measured.hpp"
#include "cli/program.hpp"
#include "cli/recorded.hpp"
#include "cli/selection.hpp"
#include "cli/verbs/bench.hpp"
#include "cli/verbs/recorded_ladder.hpp"
#include "measure/records.hpp"
#include "report/terminal/bars.hpp"
#include "report/terminal/table.hpp"

namespace cli {

namespace {

struct Column {
  const char* title;
  const char* counter;
};
constexpr Column counted[] = {{"load req.", "global_load_requests"},
                              {"sectors", "global_load_sectors"},
                              {"global at.", "global_atomics"},
                              {"shared at.", "shared_atomics"},
                              {"wavefronts", "shared_atomic_wavefronts"}};

const report::Table& counter_table() {
  using Align = report::Table::Align;
  static const report::Table columns = [] {
    std::vector<report::Table::Column> all{{"", Align::left, 18}};
    for (const Column& column : counted) all.push_back({column.title, Align::right, 10});
    return report::Table(all);
  }();
  return columns;
}

void print_counters(const RunDescription& description, const measure::RunReport& report) {
  const std::string name = exercise_title(description.exercise);
  if (report.finding.verdict != facts::Verdict::pass) {
    fmt::print("{:<18} {}\n", name, verdict_text(report.finding.verdict, report::Terminal::of_output()));
    return;
  }
  std::vector<std::string> cells{name};
  for (const Column& column : counted) {
    const std::uint64_t value = report.counters.value(column.counter);
    cells.push_back(value == 0 ? "" : report::with_separators(value));
  }
  fmt::print("{}", counter_table().row(cells));
}

}  // namespace

int bench_counters(const BenchOptions& options, const BenchPlan& plan) {
  std::vector<std::pair<RunDescription, measure::RunReport>> rows;
  int exit_code = ExitCode::fine;
  for (const std::string& input_name : plan.inputs) {
    const ChosenInput chosen =
        choose_input(*problems::find_problem(plan.exercises.front().problem), plan.binnings.front(),
                     input_name, plan.length, plan.length, plan.seed);
    for (const std::string& binning : plan.binnings) {
      if (!options.json) {
        fmt::print("\nOn the simulator: {} bytes of {}, binning {}\n\n{}",
                   report::with_separators(plan.length), chosen.name, binning, counter_table().header());
      }
      for (const workbook::ExerciseInfo& exercise : plan.exercises) {
        if (!exercise.launched) continue;
        const RunDescription description{exercise, facts::Backend::sim, binning, chosen.name, plan.length};
        const auto untouched = judge::not_started(workbook::here(), exercise, plan.tree);
        rows.emplace_back(description, untouched ? measure::RunReport{*untouched}
                                                 : measured_run(description, plan.tree, *chosen.input));
        const measure::RunReport& report = rows.back().second;
        keep_record({.kind = "bench", .tree = std::string(name_of(plan.tree)), .seed = plan.seed},
                    description, report);
        if (!untouched) exit_code = std::max(exit_code, exit_code_of(report.finding));
        if (!options.json) print_counters(description, report);
      }
      if (!options.json) print_recorded_ladder(chosen.name, binning);
    }
  }
  if (options.json) {
    fmt::print("{}\n", runs_json(workbook::here(), rows));
  } else {
    fmt::print(
        "\nload req., sectors: of global memory; at.: atomics, a lane each; wavefronts: of shared atomics "
        "(docs/counters.md)\n"
        "The simulator counts, it is not timed. Kept in {}\n",
        workbook::here().shortened(measure::records_file(workbook::here())));
  }
  return exit_code;
}

}  // namespace cli
