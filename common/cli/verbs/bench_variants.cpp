// SPDX-License-Identifier: MIT
// The solutions and their variants beside each other: timed on a GPU, counted on the simulator.
#include <fmt/core.h>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/bench.hpp"
#include "facts/words.hpp"
#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"
#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

void print_times(const std::vector<measure::Record>& records) {
  using Align = report::Table::Align;
  const report::Table table({{"", Align::left, 32},
                             {"blocks", Align::right, 10},
                             {"threads", Align::right, 7},
                             {"ms", Align::right, 8},
                             {"quartiles", Align::right, 15},
                             {"samples", Align::right, 7}});
  say("{}", table.header());
  for (const measure::Record& record : records) {
    const std::string name = measure::title_of(record);
    if (!record.is_timed()) {
      say("{:<32} {}\n", name, verdict_text(record.finding.verdict, report::Terminal::of_output()));
      if (!record.passed()) say("  {}\n", record.finding.message);
      continue;
    }
    const measure::Summary& time = *record.time_ms;
    say("{}", table.row({name, facts::separated(record.launch.grid), facts::separated(record.launch.block),
                         fmt::format("{:.4g}", time.median), fmt::format("{:.4g}-{:.4g}", time.q1, time.q3),
                         std::to_string(time.samples)}));
  }
}

std::vector<measure::Record> timed(Bench& bench, const ChosenInput& chosen, const std::string& variant) {
  report::ProgressBar bar("lab bench");
  measure::LadderOptions how{.reference = &bench.reference(), .tree = bench.tree};
  how.progress = [&](const std::string& part, double fraction) {
    bar.update(fmt::format("{}, {:.0f} % done", part, 100 * fraction));
  };
  return measure::measured_versions(workbook::here(), bench.exercises, *chosen.input,
                                    bench.asked(chosen.name, variant, {}), how);
}

std::vector<measure::Record> counted(Bench& bench, const ChosenInput& chosen, const std::string& variant) {
  std::vector<measure::Record> records;
  for (const workbook::ExerciseInfo& exercise : bench.exercises)
    records.push_back(
        measured_run(bench.asked(chosen.name, variant, exercise), bench.tree_of(exercise), *chosen.input));
  return records;
}

}  // namespace

int bench_variants(Bench& bench) {
  const bool is_timed = traits_of(bench.backend).timed;
  for (const std::string& input : bench.inputs) {
    const ChosenInput chosen = bench.choose(input);
    for (const std::string& variant : bench.variants) {
      std::vector<measure::Record> records =
          is_timed ? timed(bench, chosen, variant) : counted(bench, chosen, variant);
      BenchEstimates estimates(bench, chosen.name, variant);
      for (measure::Record& record : records) estimates.add(record);
      if (!bench.options.json) {
        say("\n{}\n\n", input_text(bench.reference().problem(), bench.length, chosen.name, variant));
        is_timed ? print_times(records) : print_counters(records);
        estimates.print();
      }
      for (measure::Record& record : records) {
        keep_record(record);
        bench.add(std::move(record));
      }
    }
  }
  return bench.finish(
      fmt::format("\nKept in {}\n", workbook::here().shortened(measure::records_file(workbook::here()))));
}

}  // namespace cli
