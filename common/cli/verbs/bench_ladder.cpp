// SPDX-License-Identifier: MIT
// The ladder: timed on a GPU, recorded elsewhere, and on the simulator by what each lab makes the machine do.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/bench.hpp"
#include "facts/words.hpp"
#include "judge/check.hpp"
#include "measure/counted.hpp"
#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"
#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"
#include "workbook/workbook.hpp"

namespace cli {

namespace {

const report::Table& ladder_table() {
  using Align = report::Table::Align;
  // 79 columns: a row fits into a terminal of 80.
  static const report::Table columns({{"", Align::left, 17},
                                      {"ms", Align::right, 8},
                                      {"quartiles", Align::right, 13},
                                      {"GB/s", Align::right, 6},
                                      {"of limit", Align::right, 8},
                                      {"x CPU", Align::right, 7},
                                      {"x before", Align::right, 8}});
  return columns;
}

// "~": the quartiles overlap, so nothing is claimed.
std::string before_text(const measure::Rung& rung) {
  if (!rung.over_before) return {};
  return fmt::format("{}{:.3g}", rung.over_before->claimed ? "" : "~", rung.over_before->times);
}

void print_rung(const measure::Rung& rung) {
  const measure::Record& record = rung.record;
  const std::string name = measure::title_of(record);
  if (!record.is_timed()) {
    say("{:<17} {}\n", name, verdict_text(record.finding.verdict, report::Terminal::of_output()));
    if (!record.passed() && record.finding.verdict != facts::Verdict::not_started)
      say("  {}\n", record.finding.message);
    return;
  }
  const measure::Summary& time = *record.time_ms;
  say("{}", ladder_table().row(
                {name, fmt::format("{:.4g}", time.median), fmt::format("{:.4g}-{:.4g}", time.q1, time.q3),
                 fmt::format("{:.4g}", throughput_gb_s(record)),
                 rung.of_limit ? fmt::format("{:.1f} %", 100 * *rung.of_limit) : "",
                 rung.over_cpu ? fmt::format("{:.4g}", *rung.over_cpu) : "", before_text(rung)}));
}

}  // namespace

void print_ladder(const measure::Ladder& ladder) {
  say("{}", ladder_table().header());
  for (const measure::Rung& rung : ladder.rungs) print_rung(rung);
}

void print_recorded_ladder(const std::string& input, const std::string& variant) {
  // A file holds the records of one machine.
  for (const std::string& file : measure::record_files(measure::recorded_elsewhere(workbook::here()))) {
    const measure::Selected kept = measure::select(measure::read_records(file).records);
    const std::vector<measure::Ladder> ladders = measure::ladders(kept.records);
    const auto fitting = std::ranges::find_if(ladders, [&](const measure::Ladder& ladder) {
      const measure::Record& lab = ladder.lab();
      return ladder.timed && !lab.warm_cache && lab.input == input && lab.variant == variant;
    });
    if (fitting == ladders.end()) continue;
    const auto gpu = kept.machine.gpu.find("name");
    say("\nThe solutions, recorded on an {}, {}: {}\n\n",
        gpu == kept.machine.gpu.end() ? "unknown GPU" : gpu->second, fitting->lab().time.substr(0, 10),
        input_text(fitting->lab()));
    print_ladder(*fitting);
    return;
  }
}

void print_counters(const std::vector<measure::Record>& records) {
  using Align = report::Table::Align;
  std::vector<problems::CountedColumn> columns = measure::shown_columns(records);
  std::erase_if(columns, [](const problems::CountedColumn& column) { return column.short_title.empty(); });
  // A variant's name may be longer than any lab's.
  std::size_t width = 18;
  for (const measure::Record& record : records) width = std::max(width, measure::title_of(record).size());
  std::vector<report::Table::Column> titles{{"", Align::left, width}};
  for (const problems::CountedColumn& column : columns)
    titles.push_back({std::string(column.short_title), Align::right, 10});
  const report::Table table(titles);
  say("{}", table.header());
  for (const measure::Record& record : records) {
    const std::string name = measure::title_of(record);
    if (!record.passed()) {
      say("{:<{}} {}\n", name, width, verdict_text(record.finding.verdict, report::Terminal::of_output()));
      continue;
    }
    std::vector<std::string> cells{name};
    for (const problems::CountedColumn& column : columns)
      cells.push_back(measure::counted_text(column, record));
    say("{}", table.row(cells));
  }
}

namespace {

void count_ladder(Bench& bench, const ChosenInput& chosen, const std::string& variant) {
  if (!bench.options.json) {
    say("\nOn the simulator: {}\n\n",
        input_text(bench.reference().problem(), bench.length, chosen.name, variant));
  }
  std::vector<measure::Record> counted;
  BenchEstimates estimates(bench, chosen.name, variant);
  for (const workbook::ExerciseInfo& exercise : bench.exercises) {
    if (!exercise.launched) continue;
    measure::Record record = bench.asked(chosen.name, variant, exercise);
    if (const auto untouched = judge::not_started(
            workbook::here(), workbook::here().target(exercise, bench.tree, record.backend))) {
      record.finding = *untouched;
    } else {
      record = measured_run(std::move(record), bench.tree, *chosen.input);
      estimates.add(record);
    }
    keep_record(record);
    counted.push_back(std::move(record));
  }
  if (!bench.options.json) {
    print_counters(counted);
    estimates.print();
    print_recorded_ladder(chosen.name, variant);
  }
  for (measure::Record& record : counted) bench.add(std::move(record));
}

void time_ladder(Bench& bench, const ChosenInput& chosen, const std::string& variant) {
  report::ProgressBar bar("lab bench");
  measure::LadderOptions how{
      .reference = &bench.reference(), .tree = bench.tree, .read_launch = &bench.read_launch};
  how.progress = [&](const std::string& part, double fraction) {
    bar.update(fmt::format("{}, {:.0f} % done", part, 100 * fraction));
  };
  measure::Ladder ladder =
      measure::measured_ladder(workbook::here(), *chosen.input, bench.asked(chosen.name, variant, {}), how);
  bar.clear();
  BenchEstimates estimates(bench, chosen.name, variant);
  for (measure::Rung& rung : ladder.rungs) {
    estimates.add(rung.record);
    keep_record(rung.record);
    bench.add(rung.record);
  }
  if (bench.options.json) return;
  say("\n{}\n\n", input_text(bench.reference().problem(), bench.length, chosen.name, variant));
  print_ladder(ladder);
  for (const measure::Rung& rung : ladder.rungs) {
    if (rung.record.dropped > 0) say("{}: {}", measure::title_of(rung.record), clock_text(rung.record));
  }
  estimates.print();
}

}  // namespace

int bench_ladder(Bench& bench) {
  const workbook::Workbook& workbook = workbook::here();
  const bool timed = traits_of(bench.backend).timed;
  if (timed && !bench.options.json) say("On {}\n", measure::gpu_device(workbook).properties.at("name"));
  for (const std::string& input : bench.inputs) {
    const ChosenInput chosen = bench.choose(input);
    for (const std::string& variant : bench.variants)
      timed ? time_ladder(bench, chosen, variant) : count_ladder(bench, chosen, variant);
  }
  const std::string legend =
      timed ? fmt::format(
                  "ms: the kernel alone, median; contenders took turns, the L2 cache was {}, each result "
                  "was checked (docs/timing.md)\n"
                  "~: the quartiles overlap, so neither is called faster.",
                  bench.options.warm ? "warm" : "cold")
            : fmt::format("{} (docs/counters.md)\nThe simulator counts, it is not timed.",
                          bench.reference().counted_legend());
  return bench.finish(
      fmt::format("\n{} Kept in {}\n", legend, workbook.shortened(measure::records_file(workbook))));
}

}  // namespace cli
