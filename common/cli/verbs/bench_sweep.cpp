// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/verbs/bench.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "report/numbers.hpp"
#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

using Align = report::Table::Align;

report::Table sweep_table(std::string_view unit, bool timed) {
  if (timed) {
    return report::Table({{std::string(unit), Align::right, 15},
                          {"blocks", Align::right, 9},
                          {"ms", Align::right, 9},
                          {"quartiles", Align::right, 17},
                          {"GB/s", Align::right, 7},
                          {"resident", Align::left, 20}});
  }
  return report::Table({{std::string(unit), Align::right, 15},
                        {"blocks", Align::right, 9},
                        {"load req.", Align::right, 10},
                        {"sectors", Align::right, 10},
                        {"global at.", Align::right, 10},
                        {"wavefronts", Align::right, 10}});
}

std::string counter_cell(const measure::Record& record, const char* name) {
  const auto value = record.counters.find(name);
  return value ? report::with_separators(*value) : "";
}

// "8 blocks, 64/64 warps, threads": how many fit, and what limits them.
std::string occupancy_text(const runner::Occupancy& occupancy) {
  return fmt::format("{} blocks, {}/{} warps, {}", occupancy.resident_blocks, occupancy.warps,
                     occupancy.most_warps, occupancy.limited_by);
}

void print_point(const report::Table& table, const measure::Record& point) {
  std::vector<std::string> cells{report::with_separators(point.sweep->value),
                                 report::with_separators(point.launch.grid)};
  if (!point.passed()) {
    cells.push_back(verdict_text(point.finding.verdict, report::Terminal::of_output()));
  } else if (point.time_ms) {
    cells.push_back(fmt::format("{:.4g}", point.time_ms->median));
    cells.push_back(fmt::format("{:.4g}-{:.4g}", point.time_ms->q1, point.time_ms->q3));
    cells.push_back(fmt::format("{:.4g}", throughput_gb_s(point)));
    if (point.occupancy) cells.push_back(occupancy_text(*point.occupancy));
  } else {
    for (const char* counter :
         {"global_load_requests", "global_load_sectors", "global_atomics", "shared_atomic_wavefronts"}) {
      cells.push_back(counter_cell(point, counter));
    }
  }
  fmt::print("{}", table.row(cells));
}

class SweepBench {
 public:
  SweepBench(const BenchOptions& options, const BenchPlan& plan, const measure::SweepKind& kind)
      : options_(options),
        plan_(plan),
        kind_(kind),
        table_(sweep_table(measure::unit_of(kind, plan.exercises.front()), traits_of(plan.backend).timed)) {}

  int run() {
    for (const workbook::ExerciseInfo& exercise : plan_.exercises) {
      if (const auto finding = obstacle(exercise)) {
        tell(exercise, *finding);
        continue;
      }
      for (const std::string& input : plan_.inputs) {
        for (const std::string& variant : plan_.variants) sweep(exercise, input, variant);
      }
    }
    if (options_.json) fmt::print("{}\n", runs_json(workbook_, records_));
    return exit_code_;
  }

 private:
  // What keeps an exercise from being swept.
  std::optional<facts::Finding> obstacle(const workbook::ExerciseInfo& exercise) const {
    const workbook::Target target = workbook_.target(exercise, plan_.tree, plan_.backend);
    if (auto untouched = judge::not_started(workbook_, target)) return untouched;
    return judge::build_runner(workbook_, target);
  }

  void tell(const workbook::ExerciseInfo& exercise, const facts::Finding& finding) {
    records_.push_back(plan_.asked("sweep", plan_.inputs.front(), plan_.variants.front()));
    records_.back().exercise = exercise;
    records_.back().finding = finding;
    // Labs that are still to come are no failure, unless they were asked for.
    if (finding.verdict != facts::Verdict::not_started || !options_.lab.empty())
      exit_code_ = std::max(exit_code_, exit_code_of(finding));
    if (!options_.json)
      fmt::print("\n{}", finding_text(workbook_, exercise, finding, report::Terminal::of_output()));
  }

  void sweep(const workbook::ExerciseInfo& exercise, const std::string& input, const std::string& variant) {
    report::ProgressBar bar("lab bench");
    measure::SweepOptions how{.tree = plan_.tree,
                              .multiprocessors = measure::multiprocessors(workbook_, plan_.backend)};
    how.make_input = [&](std::uint64_t length) {
      return choose_input(*problems::find_problem(exercise.problem), variant, input, length, length,
                          plan_.seed)
          .input;
    };
    how.progress = [&](double fraction) { bar.update(fraction); };
    if (!options_.json) {
      const problems::Reference& reference = problems::reference_of(exercise.problem);
      const std::string inputs =
          kind_.input_name ? fmt::format("as many {}s as are said", reference.bar_word()) : input;
      fmt::print("\n{}, {}\n\n{}", measure::title_of(exercise),
                 input_text(reference.problem(), plan_.length, inputs, variant), table_.header());
    }
    measure::Record asked = plan_.asked("sweep", input, variant);
    asked.exercise = exercise;
    for (measure::Record& point : measure::measured_sweep(workbook_, kind_, asked, how)) {
      bar.clear();
      exit_code_ = std::max(exit_code_, exit_code_of(point.finding));
      keep_record(point);
      if (!options_.json) print_point(table_, point);
      records_.push_back(std::move(point));
    }
  }

  const workbook::Workbook& workbook_ = workbook::here();
  const BenchOptions& options_;
  const BenchPlan& plan_;
  const measure::SweepKind& kind_;
  const report::Table table_;
  std::vector<measure::Record> records_;
  int exit_code_ = ExitCode::fine;
};

}  // namespace

int bench_sweep(const BenchOptions& options, const BenchPlan& plan, const measure::SweepKind& kind) {
  return SweepBench(options, plan, kind).run();
}

}  // namespace cli
