// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/bench.hpp"
#include "cli/measured.hpp"
#include "cli/recorded.hpp"
#include "cli/selection.hpp"
#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "report/bars.hpp"
#include "report/progress_bar.hpp"
#include "report/table.hpp"

namespace cli {

namespace {

const report::Table& ladder_table() {
  using Align = report::Table::Align;
  // 80 columns: a row fits into a terminal of 80.
  static const report::Table columns({{"", Align::left, 18},
                                      {"ms", Align::right, 8},
                                      {"quartiles", Align::right, 15},
                                      {"GB/s", Align::right, 6},
                                      {"of limit", Align::right, 8},
                                      {"x CPU", Align::right, 7},
                                      {"x before", Align::right, 8}});
  return columns;
}

std::string rung_name(const measure::Rung& rung) {
  return rung.peer ? rung.peer->description : exercise_title(rung.exercise);
}

// How many times as fast as the rung before. "~": the quartiles overlap, so nothing is claimed.
std::string against(const measure::RunReport& here, const measure::Rung* before) {
  if (!before || !here.time_ms || !before->report.time_ms) return {};
  const bool claimed = measure::is_faster(*here.time_ms, *before->report.time_ms) || measure::is_faster(*before->report.time_ms, *here.time_ms);
  return fmt::format("{}{:.3g}", claimed ? "" : "~", before->report.time_ms->median / here.time_ms->median);
}

void print_rung(const measure::Rung& rung, const measure::Rung* limit, const measure::Rung* cpu, const measure::Rung* before) {
  const report::Terminal terminal = report::Terminal::of_output();
  const measure::RunReport& report = rung.report;
  const bool passed = report.finding.verdict == judge::Verdict::pass;
  if (!report.time_ms || !passed) {
    fmt::print("{:<18} {}\n", rung_name(rung), verdict_text(report.finding.verdict, terminal));
    if (!passed && report.finding.verdict != judge::Verdict::not_started) fmt::print("  {}\n", report.finding.message);
    return;
  }
  const auto& time = *report.time_ms;
  const bool of_gpu = rung.backend == judge::Backend::gpu;
  fmt::print("{}", ladder_table().row({rung_name(rung), fmt::format("{:.4g}", time.median), fmt::format("{:.4g}-{:.4g}", time.q1, time.q3),
                                       fmt::format("{:.4g}", report.throughput_gb_s),
                                       limit && of_gpu ? fmt::format("{:.1f} %", 100 * limit->report.time_ms->median / time.median) : "",
                                       cpu ? fmt::format("{:.4g}", cpu->report.time_ms->median / time.median) : "", against(report, before)}));
}

void print_ladder(const std::vector<measure::Rung>& rungs) {
  const measure::Rung* const limit = measure::read_limit(rungs);
  const measure::Rung* const cpu = measure::cpu_baseline(rungs);
  const measure::Rung* before = nullptr;
  fmt::print("{}", ladder_table().header());
  for (const measure::Rung& rung : rungs) {
    print_rung(rung, limit, cpu, rung.peer ? nullptr : before);
    if (!rung.peer && rung.report.time_ms) before = &rung;
  }
  for (const measure::Rung& rung : rungs) {
    if (rung.report.dropped > 0) fmt::print("{}: {}", rung_name(rung), clock_text(rung.report));
  }
}

RunDescription description_of(const measure::Rung& rung, const std::string& binning, const std::string& input, std::uint64_t length) {
  return {rung.exercise, rung.backend, binning, input, length};
}

}  // namespace

int bench_ladder(const BenchOptions& options, const BenchPlan& plan) {
  const judge::Workbook& workbook = judge::workbook();
  const auto& gpu = measure::gpu_device(workbook);
  std::vector<std::pair<RunDescription, measure::RunReport>> rows;
  int exit_code = ExitCode::fine;
  if (!options.json && gpu.works) fmt::print("On {}\n", gpu.properties.at("name"));
  for (const std::string& input_name : plan.inputs) {
    const ChosenInput chosen = choose_input(input_name, plan.length, plan.length, plan.seed);
    for (const std::string& binning : plan.binnings) {
      report::ProgressBar bar("lab bench");
      measure::LadderOptions ladder_options{.tree = plan.tree, .binning = binning};
      ladder_options.progress = [&](const std::string& what, double fraction) { bar.update(fmt::format("{}, {:.0f} % done", what, 100 * fraction)); };
      const std::vector<measure::Rung> rungs = measure::ladder(workbook, *chosen.input, ladder_options);
      bar.clear();
      for (const measure::Rung& rung : rungs) {
        const RunDescription description = description_of(rung, binning, chosen.name, plan.length);
        rows.emplace_back(description, rung.report);
        keep_record({.kind = "bench", .tree = rung.peer ? "peer" : std::string(name_of(plan.tree)), .seed = plan.seed}, description, rung.report);
        const bool counts = rung.report.finding.verdict != judge::Verdict::not_started;
        if (counts) exit_code = std::max(exit_code, exit_code_of(rung.report.finding));
      }
      if (options.json) continue;
      fmt::print("\n{} bytes of {}, binning {}\n\n", report::with_separators(plan.length), chosen.name, binning);
      print_ladder(rungs);
    }
  }
  if (options.json) {
    fmt::print("{}\n", tour_json(judge::workbook(), rows));
  } else {
    fmt::print("\nms: the kernel alone, median; contenders took turns, the L2 cache was cold, each result was checked (docs/timing.md)\n"
               "~: the quartiles overlap, so neither is called faster. Kept in {}\n",
               workbook.shortened(measure::records_file(workbook)));
  }
  return exit_code;
}

}  // namespace cli
