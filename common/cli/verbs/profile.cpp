// SPDX-License-Identifier: MIT
#include "cli/verbs/profile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/predict/outcomes.hpp"
#include "cli/selection.hpp"
#include "facts/errors.hpp"
#include "measure/source_profile.hpp"
#include "report/terminal/annotated_source.hpp"
#include "report/terminal/bars.hpp"
#include "report/terminal/table.hpp"
#include "workbook/skeleton.hpp"

namespace cli {

namespace {

report::LineCounters line_counters(const facts::Counters& counters) {
  report::LineCounters line;
  for (const auto& [name, value] : counters) {
    if (name.ends_with("_requests")) line.requests += value;
    if (name.ends_with("_sectors")) line.sectors += value;
    if (name.ends_with("_wavefronts")) line.wavefronts += value;
  }
  line.lanes = counters.value(facts::Counter::thread_steps);
  return line;
}

// The counters of both, with what they mean.
void print_counters(const Profiled& here, const std::optional<Profiled>& before) {
  using Align = report::Table::Align;
  std::vector<report::Table::Column> columns{
      {"", Align::left, 24}, {workbook::here().short_name(here.description.exercise), Align::right, 12}};
  if (before)
    columns.push_back({workbook::here().short_name(before->description.exercise), Align::right, 12});
  columns.push_back({"", Align::left});
  const report::Table table(columns);
  fmt::print("\n{}", table.header());
  for (const auto& [counter, quantity] : facts::counter_table) {
    const std::uint64_t value = here.report.counters.value(counter);
    const std::uint64_t value_before = before ? before->report.counters.value(counter) : 0;
    if (value == 0 && value_before == 0) continue;
    std::vector<std::string> cells{std::string(quantity.name), report::with_separators(value)};
    if (before) cells.push_back(report::with_separators(value_before));
    cells.emplace_back(quantity.meaning);
    fmt::print("{}", table.row(cells));
  }
}

// How the lab before does on the same input: its solution, or what the student has.
std::optional<Profiled> profile_before(const RunDescription& here, const problems::Input& input) {
  const auto exercise = exercise_before(here.exercise);
  if (!exercise) return std::nullopt;
  const workbook::Tree tree = tree_before();
  Profiled before{here, tree, {}, {}};
  before.description.exercise = *exercise;
  before.report = measured_run(before.description, tree, input);
  if (before.report.counters.empty()) return std::nullopt;
  return before;
}

int profile(const LaunchOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  const workbook::ExerciseInfo exercise = find_exercise(options.lab);
  const problems::Problem& problem = *problems::find_problem(exercise.problem);
  require_variant(problem, options.binning);
  if (!exercise.launched)
    throw facts::UsageError(fmt::format("lab {} launches no kernel, so there is nothing to count",
                                        workbook.short_name(exercise)));
  if (choose_backend(options.on, exercise) == facts::Backend::gpu) return profile_on_gpu(options, exercise);
  const workbook::Tree tree = choose_tree(options.solution);
  const ChosenInput chosen = choose_input(problem, options.binning, options.input, options.length,
                                          default_length(facts::Backend::sim), options.seed.value_or(1));
  Profiled here{
      {exercise, facts::Backend::sim, options.binning, chosen.name, chosen.input->length()}, tree, {}, {}};
  here.report = measured_run(
      here.description, tree, *chosen.input,
      {.block = launch_number(options.block), .grid = launch_number(options.grid), .places = true});
  const std::string file = workbook.source_file(exercise, tree);
  here.source =
      measure::source_profile(workbook.runner(exercise, tree, facts::Backend::sim), file, here.report.places);
  const std::optional<Profiled> before = profile_before(here.description, *chosen.input);
  if (options.json) {
    fmt::print("{}\n", profile_json(workbook, here, before));
    return exit_code_of(here.report.finding);
  }
  fmt::print("{}\n{}", run_text(here.description), launch_text(here.description, here.report));
  if (here.report.finding.verdict != facts::Verdict::pass) {
    fmt::print("{}", finding_text(workbook, exercise, here.report.finding, report::Terminal::of_output()));
  }
  if (here.report.counters.empty()) return exit_code_of(here.report.finding);
  fmt::print("\n");
  print_source(file, here.source);
  print_counters(here, before);
  if (tree == workbook::Tree::student && here.report.finding.verdict == facts::Verdict::pass)
    print_predicted(exercise, facts::Backend::sim);
  return exit_code_of(here.report.finding);
}

}  // namespace

workbook::Tree tree_before() {
  return workbook::here().has_solutions ? workbook::Tree::solution : workbook::Tree::student;
}

void print_source(const std::string& file, const measure::SourceProfile& profile) {
  std::map<int, report::LineCounters> lines;
  for (const auto& [line, counters] : profile.lines) lines[line] = line_counters(counters);
  std::ifstream source(file);
  fmt::print("{}\n{}", workbook::here().shortened(file),
             report::annotated_source(source, lines, workbook::is_marker));
  if (const std::uint64_t requests = line_counters(profile.elsewhere).requests) {
    fmt::print("{:>11}  in other files, or where the compiler names no line\n",
               report::with_separators(requests));
  }
}

// A question names its own run, whatever the profile's was.
void print_predicted(const workbook::ExerciseInfo& exercise, facts::Backend backend) {
  Figures figures(workbook::here(), exercise, {.gpu = backend == facts::Backend::gpu, .simulator = true});
  const std::string text = set_against(workbook::here(), {exercise}, std::ref(figures));
  if (!text.empty()) fmt::print("\npredicted:\n{}", text);
}

void add_profile(CommandLine& line) {
  auto [verb, options] = line.add<LaunchOptions>(
      "profile", "counters beside the kernel's lines, and against the lab before", profile);
  add_launch_options(verb, options);
}

}  // namespace cli
