// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/bench.hpp"
#include "facts/words.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "measure/counted.hpp"
#include "measure/gpu_device.hpp"
#include "report/numbers.hpp"
#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

using Align = report::Table::Align;

constexpr std::string_view blocks_title = "blocks";

// The launches' blocks have a column, unless they are what is swept.
report::Table sweep_table(std::string_view unit, bool timed,
                          const std::vector<problems::CountedColumn>& columns) {
  std::vector<report::Table::Column> titles{{std::string(unit), Align::right, 15}};
  if (unit != blocks_title) titles.push_back({std::string(blocks_title), Align::right, 9});
  if (timed) {
    titles.insert(titles.end(), {{"ms", Align::right, 9},
                                 {"quartiles", Align::right, 17},
                                 {"GB/s", Align::right, 7},
                                 {"resident", Align::left, 20}});
  }
  for (const problems::CountedColumn& column : columns)
    titles.push_back({std::string(column.short_title), Align::right, 10});
  return report::Table(titles);
}

// Of points on the simulator; none where they were timed.
std::vector<problems::CountedColumn> columns_of(const std::vector<measure::Record>& points, bool timed) {
  if (timed) return {};
  std::vector<problems::CountedColumn> columns = measure::shown_columns(points);
  std::erase_if(columns, [](const problems::CountedColumn& column) { return !column.swept; });
  return columns;
}

// "8 blocks, 64/64 warps, threads": how many fit, and what limits them.
std::string occupancy_text(const runner::Occupancy& occupancy) {
  return fmt::format("{} blocks, {}/{} warps, {}", occupancy.resident_blocks, occupancy.warps,
                     occupancy.most_warps, occupancy.limited_by);
}

void print_point(const report::Table& table, const std::vector<problems::CountedColumn>& columns,
                 const measure::Record& point) {
  std::vector<std::string> cells{facts::separated(point.sweep->value)};
  if (measure::kind_of(point).unit != blocks_title) cells.push_back(facts::separated(point.launch.grid));
  if (!point.passed()) {
    cells.push_back(verdict_text(point.finding.verdict, report::Terminal::of_output()));
  } else if (point.time_ms) {
    cells.push_back(fmt::format("{:.4g}", point.time_ms->median));
    cells.push_back(fmt::format("{:.4g}-{:.4g}", point.time_ms->q1, point.time_ms->q3));
    cells.push_back(fmt::format("{:.4g}", throughput_gb_s(point)));
    if (point.occupancy) cells.push_back(occupancy_text(*point.occupancy));
  } else {
    for (const problems::CountedColumn& column : columns)
      cells.push_back(measure::counted_text(column, point));
  }
  say("{}", table.row(cells));
}

// The point's input and launch, over as many elements as a GPU would be given; those of a sweep over the
// length are the point's own.
std::optional<EstimateRow> estimated_point(const Bench& bench, measure::Record& point,
                                           const std::string& input) {
  const measure::SweepKind& kind = *bench.sweep;
  const std::uint64_t elements = kind.varies_length() ? point.length : bench.estimated_length;
  measure::Record asked = point;
  asked.length = elements;
  const auto [block, grid] = kind.launch(point.sweep->value, asked);
  const auto make = [&](std::uint64_t length) {
    measure::Record part = asked;
    part.length = length;
    return kind.varies_input()
               ? kind.input(point.sweep->value, part, {})
               : choose_input(measure::problem_of(point), point.variant, input, length, length, bench.seed)
                     .input;
  };
  auto row = bench.estimate(point, elements, make, {.block = block, .grid = grid});
  if (row) row->title = facts::separated(point.sweep->value);
  return row;
}

// The sweep over one input with one variant.
void sweep(Bench& bench, const workbook::ExerciseInfo& exercise, const std::string& input,
           const std::string& variant) {
  const workbook::Workbook& workbook = workbook::here();
  const problems::Reference& reference = problems::reference_of(exercise.problem);
  const std::string inputs =
      bench.sweep->varies_input() ? fmt::format("as many {}s as are said", reference.bar_word()) : input;
  report::ProgressBar bar("lab bench");
  measure::SweepOptions how{.tree = bench.tree_of(exercise),
                            .multiprocessors = measure::multiprocessors(workbook, bench.backend)};
  how.make_input = [&](std::uint64_t length) {
    return choose_input(*problems::find_problem(exercise.problem), variant, input, length, length, bench.seed)
        .input;
  };
  how.progress = [&](double fraction) { bar.update(fraction); };
  if (!bench.options.json) {
    say("\n{}, {}\n\n", measure::title_of(exercise),
        input_text(reference.problem(), bench.length, inputs, variant));
  }
  const measure::Record asked = bench.asked(input, variant, exercise);
  std::vector<measure::Record> points = measure::measured_sweep(workbook, *bench.sweep, asked, how);
  bar.clear();
  const bool timed = traits_of(bench.backend).timed;
  const std::vector<problems::CountedColumn> columns = columns_of(points, timed);
  const report::Table table = sweep_table(measure::unit_of(*bench.sweep, exercise), timed, columns);
  if (!bench.options.json) say("{}", table.header());
  EstimateTable estimates{bench.device.value_or(model::Device{}),
                          std::string(measure::unit_of(*bench.sweep, exercise)),
                          bench.sweep->varies_length()
                              ? fmt::format("as many {} of {}, {} {}", reference.problem().elements(), inputs,
                                            reference.problem().variant_option(), variant)
                              : input_text(reference.problem(), bench.estimated_length, inputs, variant),
                          {}};
  for (measure::Record& point : points) {
    if (!bench.options.json) print_point(table, columns, point);
    if (auto row = estimated_point(bench, point, input)) estimates.rows.push_back(std::move(*row));
    keep_record(point);
    bench.add(std::move(point));
  }
  const std::string estimated = estimates_text(estimates, report::Terminal::of_output());
  if (!bench.options.json && !estimated.empty()) say("\n{}", estimated);
}

}  // namespace

int bench_sweep(Bench& bench) {
  const workbook::Workbook& workbook = workbook::here();
  for (const workbook::ExerciseInfo& exercise : bench.exercises) {
    const workbook::Target target = workbook.target(exercise, bench.tree_of(exercise), bench.backend);
    auto obstacle = judge::not_started(workbook, target);
    if (!obstacle) obstacle = judge::build_runner(workbook, target);
    if (obstacle) {
      if (!bench.options.json)
        say("\n{}", finding_text(workbook, exercise, *obstacle, report::Terminal::of_output()));
      measure::Record record = bench.asked(bench.inputs.front(), bench.variants.front(), exercise);
      record.finding = *obstacle;
      bench.add(std::move(record));
      continue;
    }
    for (const std::string& input : bench.inputs) {
      for (const std::string& variant : bench.variants) sweep(bench, exercise, input, variant);
    }
  }
  return bench.finish("");
}

}  // namespace cli
