// SPDX-License-Identifier: MIT
#include "cli/verbs/profile.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/predict/outcomes.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "measure/gpu_device.hpp"
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
std::string row_of(const report::Table& table, const std::vector<std::string>& cells,
                   std::string_view meaning, const report::Terminal& terminal) {
  std::vector<std::string> whole = cells;
  whole.emplace_back(meaning);
  std::string row = table.row(whole);
  if (!terminal.live || report::width(row) <= terminal.columns) return row;
  return table.row(cells) + fmt::format("    {}\n", meaning);
}

}  // namespace

std::string figure_text(double value, std::string_view unit) {
  if (unit == "byte") return facts::separated(static_cast<std::uint64_t>(std::llround(value))) + " B";
  if (unit == "byte/s") return fmt::format("{:.4g} GB/s", value / 1e9);
  if (unit == "%") return fmt::format("{:.1f} %", value);
  if (unit == "ns")
    return value < 1e6 ? fmt::format("{:.4g} us", value / 1e3) : fmt::format("{:.4g} ms", value / 1e6);
  if (value == std::floor(value)) return facts::separated(static_cast<std::uint64_t>(value));
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
      cells.push_back(value ? facts::separated(*value) : "");
      any = any || value.value_or(0) > 0;
    }
    if (any) text += row_of(table, cells, quantity.meaning, terminal);
  }
  for (const facts::DerivedCounter& which : facts::derived_table) {
    std::vector<std::string> cells{std::string(which.name)};
    bool any = false;
    for (const Counted& column : columns) {
      const auto value = facts::derived(which, column.counters);
      cells.push_back(value ? facts::derived_text(*value) : "");
      any = any || value;
    }
    if (any) text += row_of(table, cells, which.meaning, terminal);
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
    if (any) text += row_of(table, cells, figure.meaning, terminal);
  }
  return text;
}

std::string profile_json(const workbook::Workbook& workbook, const Profile& profile) {
  const measure::Record& record = profile.record;
  Json json = heading_json(record);
  json["launch"] = {{"grid", record.launch.grid}, {"block", record.launch.block}};
  json["counters"] = record.counters;
  json["derived"] =
      facts::derived(traits_of(record.backend).accelerator ? record.simulated : record.counters);
  json["file"] = workbook.shortened(workbook.source_file(record.exercise, profile.tree));
  json["lines"] = Json::array();
  for (const auto& [line, counters] : profile.source.lines)
    json["lines"].push_back({{"line", line}, {"counters", counters}});
  json["elsewhere"] = profile.source.elsewhere;
  json["before"] = nullptr;
  if (profile.before)
    json["before"] = {{"lab", profile.exercise_before->lab},
                      {"exercise", profile.exercise_before->name},
                      {"counters", profile.before->counters},
                      {"derived", facts::derived(profile.before->counters)}};
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

// Prints the file with the counters of its lines beside them.
void print_source(const std::string& file, const measure::SourceProfile& profile) {
  std::map<int, report::LineCounters> lines;
  for (const auto& [line, counters] : profile.lines) lines[line] = line_counters(counters);
  std::ifstream source(file);
  const report::Terminal terminal = report::Terminal::of_output();
  say("\n{}\n{}", workbook::here().shortened(file),
      report::annotated_source(source, lines, workbook::is_marker,
                               terminal.live ? terminal.columns : std::numeric_limits<unsigned>::max()));
  if (const std::uint64_t requests = line_counters(profile.elsewhere).requests) {
    say("{:>11}  in other files, or where the compiler names no line\n", facts::separated(requests));
  }
}

void print_finding(const measure::Record& record) {
  const report::Terminal terminal = report::Terminal::of_output();
  const workbook::Workbook& workbook = workbook::here();
  if (record.passed()) return;
  if (record.finding.verdict != facts::Verdict::unavailable || !traits_of(record.backend).accelerator) {
    say("{}", finding_text(workbook, record.exercise, record.finding, terminal));
    return;
  }
  say("{}: {}\n  next: {}, or on the simulator: {}\n", verdict_text(record.finding.verdict, terminal),
      record.finding.message, lab_command("doctor"),
      lab_command(fmt::format("profile {} --on {}", workbook.short_name(record.exercise),
                              name_of(facts::simulator))));
}

// The exercise's columns: on a GPU what was measured here or recorded elsewhere, under a line that says where
// that was.
std::vector<Counted> main_columns(const Profile& profile) {
  const workbook::Workbook& workbook = workbook::here();
  const measure::Record& record = profile.record;
  if (!traits_of(record.backend).accelerator) {
    if (record.counters.empty()) return {};
    return {{workbook.short_name(record.exercise), record.counters}};
  }
  std::vector<Counted> columns;
  if (!profile.file.empty()) {
    columns.push_back({"measured", record.counters, record.figures});
    say("counted on the {} by ncu; to look into: ncu-ui {}\n",
        measure::gpu_device(workbook).properties.at("name"), workbook.shortened(profile.file));
    if (profile.launches > 1)
      say("{} launches: counters are of all together, figures below them of the first\n", profile.launches);
  }
  if (profile.recorded) {
    const measure::Record& recorded = profile.recorded->record;
    columns.push_back({"recorded", recorded.counters, recorded.figures});
    say("\nthe solution, recorded on an {}, {}: {}; {}\n", recorded.machine.gpu.at("name"),
        recorded.time.substr(0, 10), input_text(recorded),
        report::shape_text(recorded.launch.grid, recorded.launch.block));
  }
  return columns;
}

// What the student predicted of the exercise, set against its figures: counters from the simulator, times
// from the GPU if that was profiled. A question names its own run, whatever the profile's was.
void print_predicted(const measure::Record& record) {
  Figures figures(workbook::here(), record.exercise,
                  {.gpu = traits_of(record.backend).accelerator, .simulator = true, .estimates = true});
  const std::string text = set_against(workbook::here(), {record.exercise}, std::ref(figures));
  if (!text.empty()) say("\npredicted:\n{}", text);
}

void print(const Profile& profile) {
  const measure::Record& record = profile.record;
  say("{}\n{}", run_text(record), launch_text(record));
  print_finding(record);
  std::vector<Counted> columns = main_columns(profile);
  if (columns.empty()) return;
  const bool measured = traits_of(record.backend).accelerator;
  const std::uint64_t piece = traits_of(facts::simulator).piece_bytes;
  if (!measured || !record.simulated.empty()) {
    print_source(workbook::here().source_file(record.exercise, profile.tree), profile.source);
    if (measured) columns.push_back({"simulated", record.simulated, {}});
  } else if (record.bytes() > piece) {
    say("the simulator's figures are left out: it cuts an input of more than {} bytes into several "
        "launches\n",
        facts::separated(piece));
  }
  if (profile.before) columns.push_back(*profile.before);
  say("\n{}", counted_table(columns, report::Terminal::of_output()));
  if (profile.tree == workbook::Tree::student && record.passed()) print_predicted(record);
}

// What the simulator counts in a few seconds; on a large GPU several blocks for each place that a
// multiprocessor has.
constexpr std::uint64_t usual_measured_length = std::uint64_t{4} << 20;

void require_one_launch(const problems::Input& input, facts::Backend backend) {
  const std::uint64_t length = input.length(), most = traits_of(backend).piece_bytes;
  if (length == 0)
    throw facts::UsageError("an input of 0 bytes is not launched, so there is nothing to count");
  if (length > most)
    throw facts::UsageError(fmt::format(
        "an input of {} bytes: lab profile counts one launch, over up to {} bytes", length, most));
}

struct ProfileOptions : LaunchOptions {
  bool alone = false;  // the lab before is left out
};

int profile(const ProfileOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  const workbook::ExerciseInfo exercise = find_version(options.lab);
  const problems::Problem& problem = problem_of(exercise);
  const std::string variant = options.variant.of(problem, options.input);
  if (!exercise.launched)
    throw facts::UsageError(fmt::format("lab {} launches no kernel, so there is nothing to count",
                                        workbook.short_name(exercise)));
  const facts::Backend backend = choose_backend(options.on, exercise);
  const bool measured = traits_of(backend).accelerator;
  const std::uint64_t seed = options.seed.value_or(1);
  const ChosenInput chosen = choose_input(problem, variant, options.input, options.length,
                                          measured ? usual_measured_length : default_length(backend), seed);
  if (measured) require_one_launch(*chosen.input, backend);
  Profile profile{.record = {.kind = "profile",
                             .seed = seed,
                             .exercise = exercise,
                             .backend = backend,
                             .variant = variant,
                             .input = chosen.name,
                             .length = chosen.length},
                  .tree = choose_tree(options.solution, exercise)};
  if (!options.alone) profile.exercise_before = exercise_before(exercise);
  const runner::RunOptions launch = chosen_launch(options, exercise);
  if (measured) {
    count_with_ncu(profile, *chosen.input, launch);
  } else {
    const measure::Record asked = profile.record;
    count_by_line(profile, *chosen.input, launch);
    profile.before = counted_before(profile, asked, *chosen.input);
  }
  if (options.json) {
    fmt::print("{}\n", profile_json(workbook, profile));
  } else {
    print(profile);
  }
  return exit_code_of(profile.record.finding);
}

}  // namespace

workbook::Tree tree_before() {
  return workbook::here().has_solutions ? workbook::Tree::solution : workbook::Tree::student;
}

void count_by_line(Profile& profile, const problems::Input& input, const runner::RunOptions& launch) {
  const workbook::Workbook& workbook = workbook::here();
  measure::Record& record = profile.record;
  runner::RunOptions options = launch;
  options.places = true;
  measure::Record counted = measured_run({.kind = record.kind,
                                          .seed = record.seed,
                                          .exercise = record.exercise,
                                          .backend = facts::simulator,
                                          .variant = record.variant,
                                          .input = record.input,
                                          .length = record.length},
                                         profile.tree, input, options);
  profile.source =
      measure::source_profile(workbook.runner(counted.exercise, profile.tree, counted.backend),
                              workbook.source_file(counted.exercise, profile.tree), counted.places);
  if (record.backend == counted.backend) {
    record = std::move(counted);
  } else {
    record.simulated = counted.counters;
  }
}

void add_profile(CommandLine& line) {
  auto [verb, options] = line.add<ProfileOptions>(
      "profile", "counters beside the kernel's lines, and against the lab before", profile);
  add_launch_options(verb, options);
  verb.add_flag("--alone", options.alone, "leave out the lab before, which is counted on the same input");
}

}  // namespace cli
