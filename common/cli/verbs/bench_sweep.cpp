// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "cli/measured.hpp"
#include "cli/program.hpp"
#include "cli/recorded.hpp"
#include "cli/selection.hpp"
#include "cli/verbs/bench.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "report/terminal/bars.hpp"
#include "report/terminal/progress_bar.hpp"
#include "report/terminal/table.hpp"

namespace cli {

namespace {

unsigned multiprocessors_here(facts::Backend backend) {
  constexpr unsigned of_simulated_device = 132;  // docs/simulator.md
  if (backend != facts::Backend::gpu) return of_simulated_device;
  const auto& properties = measure::gpu_device(workbook::here()).properties;
  const auto found = properties.find("multiprocessors");
  return found == properties.end() ? 1 : static_cast<unsigned>(std::stoul(found->second));
}

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

std::string counter_cell(const measure::RunReport& report, const char* name) {
  const auto value = report.counters.find(name);
  return value ? report::with_separators(*value) : "";
}

// "8 blocks, 64/64 warps, threads": how many fit, and what limits them.
std::string occupancy_text(const runner::Occupancy& occupancy) {
  return fmt::format("{} blocks, {}/{} warps, {}", occupancy.resident_blocks, occupancy.warps,
                     occupancy.most_warps, occupancy.limited_by);
}

void print_point(const report::Table& table, const measure::SweepPoint& point) {
  const measure::RunReport& report = point.report;
  std::vector<std::string> cells{report::with_separators(point.value), report::with_separators(report.grid)};
  if (report.finding.verdict != facts::Verdict::pass) {
    cells.push_back(verdict_text(report.finding.verdict, report::Terminal::of_output()));
  } else if (report.time_ms) {
    cells.push_back(fmt::format("{:.4g}", report.time_ms->median));
    cells.push_back(fmt::format("{:.4g}-{:.4g}", report.time_ms->q1, report.time_ms->q3));
    cells.push_back(fmt::format("{:.4g}", report.throughput_gb_s));
    if (report.occupancy) cells.push_back(occupancy_text(*report.occupancy));
  } else {
    for (const char* counter :
         {"global_load_requests", "global_load_sectors", "global_atomics", "shared_atomic_wavefronts"}) {
      cells.push_back(counter_cell(report, counter));
    }
  }
  fmt::print("{}", table.row(cells));
}

class SweepBench {
 public:
  SweepBench(const BenchOptions& options, const BenchPlan& plan, measure::SweepKind kind)
      : options_(options),
        plan_(plan),
        kind_(kind),
        table_(sweep_table(unit_of(kind), plan.backend != facts::Backend::sim)) {}

  int run() {
    for (const workbook::ExerciseInfo& exercise : plan_.exercises) {
      if (const auto finding = obstacle(exercise)) {
        tell(exercise, *finding);
        continue;
      }
      for (const std::string& input : plan_.inputs) {
        for (const std::string& binning : plan_.binnings) sweep(exercise, input, binning);
      }
    }
    if (options_.json) fmt::print("{}\n", runs_json(workbook_, rows_));
    return exit_code_;
  }

 private:
  // What keeps an exercise from being swept.
  std::optional<facts::Finding> obstacle(const workbook::ExerciseInfo& exercise) const {
    if (auto untouched = judge::not_started(workbook_, exercise, plan_.tree)) return untouched;
    return judge::build_runner(workbook_, exercise, plan_.tree, plan_.backend);
  }

  void tell(const workbook::ExerciseInfo& exercise, const facts::Finding& finding) {
    rows_.push_back(
        {{exercise, plan_.backend, plan_.binnings.front(), plan_.inputs.front(), plan_.length}, {finding}});
    // Labs that are still to come are no failure, unless they were asked for.
    if (finding.verdict != facts::Verdict::not_started || !options_.lab.empty())
      exit_code_ = std::max(exit_code_, exit_code_of(finding));
    if (!options_.json)
      fmt::print("\n{}", finding_text(workbook_, exercise, finding, report::Terminal::of_output()));
  }

  void sweep(const workbook::ExerciseInfo& exercise, const std::string& input, const std::string& binning) {
    report::ProgressBar bar("lab bench");
    measure::SweepOptions how{.tree = plan_.tree,
                              .backend = plan_.backend,
                              .binning = binning,
                              .input_name = input,
                              .length = plan_.length,
                              .seed = plan_.seed,
                              .multiprocessors = multiprocessors_here(plan_.backend)};
    how.make_input = [&](std::uint64_t length) {
      return choose_input(*problems::find_problem(exercise.problem), binning, input, length, length,
                          plan_.seed)
          .input;
    };
    how.progress = [&](double fraction) { bar.update(fraction); };
    if (!options_.json) {
      fmt::print("\n{}, {} bytes of {}, binning {}\n\n{}", exercise_title(exercise),
                 report::with_separators(plan_.length),
                 kind_ == measure::SweepKind::contention ? "as many bins as are said" : input, binning,
                 table_.header());
    }
    for (const measure::SweepPoint& point : measure::sweep(workbook_, exercise, kind_, how)) {
      bar.clear();
      const RunDescription description{exercise, plan_.backend, binning, point.input, point.length};
      rows_.emplace_back(description, point.report);
      exit_code_ = std::max(exit_code_, exit_code_of(point.report.finding));
      keep_record({.kind = "sweep",
                   .tree = std::string(name_of(plan_.tree)),
                   .seed = plan_.seed,
                   .sweep = std::string(name_of(kind_)),
                   .value = point.value},
                  description, point.report);
      if (!options_.json) print_point(table_, point);
    }
  }

  const workbook::Workbook& workbook_ = workbook::here();
  const BenchOptions& options_;
  const BenchPlan& plan_;
  const measure::SweepKind kind_;
  const report::Table table_;
  std::vector<std::pair<RunDescription, measure::RunReport>> rows_;
  int exit_code_ = ExitCode::fine;
};

}  // namespace

int bench_sweep(const BenchOptions& options, const BenchPlan& plan, measure::SweepKind kind) {
  return SweepBench(options, plan, kind).run();
}

}  // namespace cli
