// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/bench.hpp"
#include "cli/measured.hpp"
#include "cli/recorded.hpp"
#include "cli/selection.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"
#include "report/bars.hpp"
#include "report/progress_bar.hpp"
#include "report/table.hpp"

namespace cli {

namespace {

unsigned multiprocessors_here(judge::Backend backend) {
  if (backend != judge::Backend::gpu) return 132;
  const auto& properties = measure::gpu_device(judge::workbook()).properties;
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
  const auto found = report.counters.find(name);
  return found == report.counters.end() ? "" : report::with_separators(found->second);
}

// "8 blocks, 64 of 64 warps (threads)"
std::string occupancy_text(const exercise::Occupancy& occupancy) {
  return fmt::format("{} blocks, {}/{} warps, {}", occupancy.resident_blocks, occupancy.warps, occupancy.most_warps, occupancy.limited_by);
}

void print_point(const report::Table& table, const measure::SweepPoint& point) {
  const measure::RunReport& report = point.report;
  std::vector<std::string> cells{report::with_separators(point.value), report::with_separators(report.grid)};
  if (report.finding.verdict != judge::Verdict::pass) {
    cells.push_back(verdict_text(report.finding.verdict, report::Terminal::of_output()));
  } else if (report.time_ms) {
    cells.push_back(fmt::format("{:.4g}", report.time_ms->median));
    cells.push_back(fmt::format("{:.4g}-{:.4g}", report.time_ms->q1, report.time_ms->q3));
    cells.push_back(fmt::format("{:.4g}", report.throughput_gb_s));
    if (report.occupancy) cells.push_back(occupancy_text(*report.occupancy));
  } else {
    for (const char* counter : {"global_load_requests", "global_load_sectors", "global_atomics", "shared_atomic_wavefronts"}) {
      cells.push_back(counter_cell(report, counter));
    }
  }
  fmt::print("{}", table.row(cells));
}

}  // namespace

int bench_sweep(const BenchOptions& options, const BenchPlan& plan, measure::SweepKind kind) {
  const judge::Workbook& workbook = judge::workbook();
  std::vector<std::pair<RunDescription, measure::RunReport>> rows;
  const report::Table table = sweep_table(unit_of(kind), plan.backend != judge::Backend::sim);
  for (const judge::ExerciseInfo& exercise : plan.exercises) {
    if (auto missing = judge::missing_backend(workbook, plan.backend)) {
      fmt::print("{}", finding_text(workbook, exercise, *missing, report::Terminal::of_output()));
      return ExitCode::machine;
    }
    if (auto error = judge::build_runner(workbook, exercise, plan.tree, plan.backend)) {
      fmt::print("{}", finding_text(workbook, exercise, *error, report::Terminal::of_output()));
      return exit_code_of(*error);
    }
    for (const std::string& input : plan.inputs) {
      for (const std::string& binning : plan.binnings) {
        report::ProgressBar bar("lab bench");
        measure::SweepOptions sweep_options{.tree = plan.tree, .backend = plan.backend, .binning = binning, .input_name = input, .length = plan.length,
                                            .seed = plan.seed, .multiprocessors = multiprocessors_here(plan.backend)};
        sweep_options.make_input = [&](std::uint64_t length) { return choose_input(input, length, length, plan.seed).input; };
        sweep_options.progress = [&](double fraction) { bar.update(fraction); };
        if (!options.json) {
          fmt::print("\n{}, {} bytes of {}, binning {}\n\n{}", exercise_title(exercise),
                     report::with_separators(plan.length), kind == measure::SweepKind::contention ? "as many bins as are said" : input, binning, table.header());
        }
        for (const measure::SweepPoint& point : measure::sweep(workbook, exercise, kind, sweep_options)) {
          bar.clear();
          const RunDescription description{exercise, plan.backend, binning, point.input, point.length};
          rows.emplace_back(description, point.report);
          keep_record({.kind = "sweep", .tree = std::string(name_of(plan.tree)), .seed = plan.seed, .sweep = std::string(name_of(kind)), .value = point.value},
                      description, point.report);
          if (!options.json) print_point(table, point);
        }
      }
    }
  }
  if (options.json) fmt::print("{}\n", tour_json(judge::workbook(), rows));
  return ExitCode::fine;
}

}  // namespace cli
