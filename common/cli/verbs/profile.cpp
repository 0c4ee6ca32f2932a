// SPDX-License-Identifier: MIT
#include "cli/verbs/profile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/predict/outcomes.hpp"
#include "facts/errors.hpp"
#include "measure/ncu/metrics.hpp"
#include "report/numbers.hpp"
#include "report/terminal/sources.hpp"
#include "report/terminal/terminal.hpp"
#include "workbook/skeleton.hpp"

namespace cli {

namespace {

using Json = nlohmann::ordered_json;

Json recorded_json(const workbook::Workbook& workbook, const measure::RecordedProfile& recorded) {
  const measure::Record& record = recorded.record;
  return {{"gpu", record.machine.gpu.at("name")},
          {"time", record.time},
          {"file", workbook.shortened(recorded.file)},
          {std::string(measure::problem_of(record).variant_option()), record.variant},
          {"input", record.input},
          {"length", record.length},
          {"seed", record.seed.value_or(1)},
          {"launch", {{"grid", record.launch.grid}, {"block", record.launch.block}}},
          {"counters", record.counters},
          {"figures", record.figures}};
}

constexpr std::size_t name_width = 24, value_width = 12;

// The names' column, one for each of the counted, and the meanings.
report::Table table_of(const std::vector<Counted>& columns) {
  using Align = report::Table::Align;
  std::vector<report::Table::Column> all{{"", Align::left, name_width}};
  for (const Counted& column : columns) all.push_back({column.title, Align::right, value_width});
  all.push_back({"", Align::left});
  return report::Table(all);
}

// A row, its meaning behind it or, where that does not fit, below it.
std::string row_of(const report::Table& table, std::vector<std::string> cells, std::string_view meaning,
                   const report::Terminal& terminal) {
  std::vector<std::string> whole = cells;
  whole.emplace_back(meaning);
  std::string row = table.row(whole);
  if (!terminal.live || report::width(row) <= terminal.columns) return row;
  return table.row(cells) + fmt::format("    {}\n", meaning);
}

}  // namespace

std::string figure_text(double value, std::string_view unit) {
  if (unit == "byte") return report::with_separators(static_cast<std::uint64_t>(std::llround(value))) + " B";
  if (unit == "byte/s") return fmt::format("{:.4g} GB/s", value / 1e9);
  if (unit == "%") return fmt::format("{:.1f} %", value);
  if (unit == "ns")
    return value < 1e6 ? fmt::format("{:.4g} us", value / 1e3) : fmt::format("{:.4g} ms", value / 1e6);
  if (value == std::floor(value)) return report::with_separators(static_cast<std::uint64_t>(value));
  return fmt::format("{:.2f}", value);
}

std::string counted_table(const std::vector<Counted>& columns, const report::Terminal& terminal) {
  const report::Table table = table_of(columns);
  std::string text = table.header();
  for (const auto& [counter, quantity] : facts::counter_table) {
    std::vector<std::string> cells{std::string(quantity.name)};
    bool any = false;
    for (const Counted& column : columns) {
      const auto value = column.counters.find(counter);
      cells.push_back(value ? report::with_separators(*value) : "");
      any = any || value.value_or(0) > 0;
    }
    if (any) text += row_of(table, std::move(cells), quantity.meaning, terminal);
  }
  if (std::ranges::any_of(columns, [](const Counted& column) { return !column.figures.empty(); }))
    text += "\n";
  for (const facts::Quantity& figure : measure::measured_figures()) {
    std::vector<std::string> cells{std::string(figure.name)};
    bool any = false;
    for (const Counted& column : columns) {
      const auto found = column.figures.find(std::string(figure.name));
      cells.push_back(found == column.figures.end() ? "" : figure_text(found->second, figure.unit));
      any = any || found != column.figures.end();
    }
    if (any) text += row_of(table, std::move(cells), figure.meaning, terminal);
  }
  return text;
}

std::string profile_json(const workbook::Workbook& workbook, const Profile& profile) {
  const measure::Record& record = profile.record;
  Json json = heading_json(record);
  json["launch"] = {{"grid", record.launch.grid}, {"block", record.launch.block}};
  json["counters"] = record.counters;
  json["file"] = workbook.shortened(workbook.source_file(record.exercise, profile.tree));
  json["lines"] = Json::array();
  for (const auto& [line, counters] : profile.source.lines)
    json["lines"].push_back({{"line", line}, {"counters", counters}});
  json["elsewhere"] = profile.source.elsewhere;
  json["before"] = nullptr;
  if (profile.before)
    json["before"] = {{"lab", profile.exercise_before->lab},
                      {"exercise", profile.exercise_before->name},
                      {"counters", profile.before->counters}};
  if (!traits_of(record.backend).accelerator) return dumped(json);
  if (profile.before) json["before"]["figures"] = profile.before->figures;
  json["figures"] = record.figures;
  json["simulated"] = record.simulated.empty() ? Json() : Json(record.simulated);
  json["report"] = profile.file.empty() ? Json() : Json(profile.file);
  json["recorded"] = profile.recorded ? recorded_json(workbook, *profile.recorded) : Json();
  return dumped(json);
}

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

// How the lab before does on the same input: its solution, or what the student has.
std::optional<Counted> counted_before(const Profile& profile, measure::Record asked,
                                      const problems::Input& input) {
  if (!profile.exercise_before) return std::nullopt;
  asked.exercise = *profile.exercise_before;
  const measure::Record before = measured_run(std::move(asked), tree_before(), input);
  if (before.counters.empty()) return std::nullopt;
  return Counted{workbook::here().short_name(before.exercise), before.counters, {}};
}

void print_simulated(const Profile& profile) {
  const workbook::Workbook& workbook = workbook::here();
  const report::Terminal terminal = report::Terminal::of_output();
  const measure::Record& record = profile.record;
  fmt::print("{}\n{}", run_text(record), launch_text(record));
  if (!record.passed()) fmt::print("{}", finding_text(workbook, record.exercise, record.finding, terminal));
  if (record.counters.empty()) return;
  fmt::print("\n");
  print_source(workbook.source_file(record.exercise, profile.tree), profile.source);
  std::vector<Counted> columns{{workbook.short_name(record.exercise), record.counters}};
  if (profile.before) columns.push_back(*profile.before);
  fmt::print("\n{}", counted_table(columns, terminal));
  if (profile.tree == workbook::Tree::student && record.passed())
    print_predicted(record.exercise, facts::Backend::sim);
}

int profile(const LaunchOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  const workbook::ExerciseInfo exercise = find_exercise(options.lab);
  const problems::Problem& problem = *problems::find_problem(exercise.problem);
  require_variant(problem, options.variant);
  if (!exercise.launched)
    throw facts::UsageError(fmt::format("lab {} launches no kernel, so there is nothing to count",
                                        workbook.short_name(exercise)));
  if (choose_backend(options.on, exercise) == facts::Backend::gpu) return profile_on_gpu(options, exercise);
  const std::uint64_t seed = options.seed.value_or(1);
  const ChosenInput chosen = choose_input(problem, options.variant, options.input, options.length,
                                          default_length(facts::Backend::sim), seed);
  Profile profile{.record = {.kind = "profile",
                             .seed = seed,
                             .exercise = exercise,
                             .backend = facts::Backend::sim,
                             .variant = options.variant,
                             .input = chosen.name},
                  .tree = choose_tree(options.solution),
                  .exercise_before = exercise_before(exercise)};
  const measure::Record asked = profile.record;
  const measure::Record& record = profile.record;
  profile.record = measured_run(
      asked, profile.tree, *chosen.input,
      {.block = launch_number(options.block), .grid = launch_number(options.grid), .places = true});
  profile.source = measure::source_profile(workbook.runner(exercise, profile.tree, facts::Backend::sim),
                                           workbook.source_file(exercise, profile.tree), record.places);
  profile.before = counted_before(profile, asked, *chosen.input);
  if (options.json) {
    fmt::print("{}\n", profile_json(workbook, profile));
  } else {
    print_simulated(profile);
  }
  return exit_code_of(record.finding);
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
