// SPDX-License-Identifier: MIT
// The ladder: timed on a GPU, and on the simulator by what each lab makes the machine do.
#include <fmt/core.h>

#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/program.hpp"
#include "cli/selection.hpp"
#include "cli/verbs/bench.hpp"
#include "cli/verbs/ladder_table.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"
#include "report/terminal/progress_bar.hpp"
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

void print_counters(const measure::Record& record) {
  const std::string name = measure::title_of(record);
  if (!record.passed()) {
    fmt::print("{:<18} {}\n", name, verdict_text(record.finding.verdict, report::Terminal::of_output()));
    return;
  }
  std::vector<std::string> cells{name};
  for (const Column& column : counted) {
    const std::uint64_t value = record.counters.value(column.counter);
    cells.push_back(value == 0 ? "" : report::with_separators(value));
  }
  fmt::print("{}", counter_table().row(cells));
}

void print_rungs(const measure::Ladder& ladder) {
  print_ladder(ladder);
  for (const measure::Rung& rung : ladder.rungs) {
    if (rung.record.dropped > 0)
      fmt::print("{}: {}", measure::title_of(rung.record), clock_text(rung.record));
  }
}

// Labs that are still to come are no failure.
int exit_code_of_started(const facts::Finding& finding) {
  return finding.verdict == facts::Verdict::not_started ? ExitCode::fine : exit_code_of(finding);
}

}  // namespace

int bench_counters(const BenchOptions& options, const BenchPlan& plan) {
  const problems::Problem& problem = *problems::find_problem(plan.exercises.front().problem);
  std::vector<measure::Record> records;
  int exit_code = ExitCode::fine;
  for (const std::string& input_name : plan.inputs) {
    const ChosenInput chosen = plan.choose(input_name);
    for (const std::string& variant : plan.variants) {
      if (!options.json) {
        fmt::print("\nOn the simulator: {}\n\n{}", input_text(problem, plan.length, chosen.name, variant),
                   counter_table().header());
      }
      for (const workbook::ExerciseInfo& exercise : plan.exercises) {
        if (!exercise.launched) continue;
        measure::Record record = plan.asked("bench", chosen.name, variant);
        record.exercise = exercise;
        if (const auto untouched = judge::not_started(workbook::here(), exercise, plan.tree)) {
          record.finding = *untouched;
        } else {
          record = measured_run(std::move(record), plan.tree, *chosen.input);
        }
        keep_record(record);
        exit_code = std::max(exit_code, exit_code_of_started(record.finding));
        if (!options.json) print_counters(record);
        records.push_back(std::move(record));
      }
      if (!options.json) print_recorded_ladder(chosen.name, variant);
    }
  }
  if (options.json) {
    fmt::print("{}\n", runs_json(workbook::here(), records));
  } else {
    fmt::print(
        "\nload req., sectors: of global memory; at.: atomics, a lane each; wavefronts: of shared atomics "
        "(docs/counters.md)\n"
        "The simulator counts, it is not timed. Kept in {}\n",
        workbook::here().shortened(measure::records_file(workbook::here())));
  }
  return exit_code;
}

int bench_ladder(const BenchOptions& options, const BenchPlan& plan) {
  const problems::Reference& reference = problems::reference_of(plan.exercises.front().problem);
  const workbook::Workbook& workbook = workbook::here();
  std::vector<measure::Record> records;
  int exit_code = ExitCode::fine;
  if (!options.json) fmt::print("On {}\n", measure::gpu_device(workbook).properties.at("name"));
  for (const std::string& input_name : plan.inputs) {
    const ChosenInput chosen = plan.choose(input_name);
    for (const std::string& variant : plan.variants) {
      report::ProgressBar bar("lab bench");
      measure::LadderOptions how{.reference = &reference, .tree = plan.tree};
      how.progress = [&](const std::string& part, double fraction) {
        bar.update(fmt::format("{}, {:.0f} % done", part, 100 * fraction));
      };
      const measure::Ladder ladder =
          measure::measured_ladder(workbook, *chosen.input, plan.asked("bench", chosen.name, variant), how);
      bar.clear();
      for (const measure::Rung& rung : ladder.rungs) {
        records.push_back(rung.record);
        keep_record(rung.record);
        exit_code = std::max(exit_code, exit_code_of_started(rung.record.finding));
      }
      if (options.json) continue;
      fmt::print("\n{}\n\n", input_text(reference.problem(), plan.length, chosen.name, variant));
      print_rungs(ladder);
    }
  }
  if (options.json) {
    fmt::print("{}\n", runs_json(workbook::here(), records));
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
