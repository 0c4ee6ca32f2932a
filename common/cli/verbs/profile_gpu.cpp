// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/measured.hpp"
#include "cli/recorded.hpp"
#include "cli/selection.hpp"
#include "cli/tools.hpp"
#include "cli/verbs/profile.hpp"
#include "facts/errors.hpp"
#include "judge/build.hpp"
#include "measure/gpu_device.hpp"
#include "measure/ncu/ncu.hpp"
#include "measure/records.hpp"
#include "report/terminal/bars.hpp"
#include "report/terminal/progress_bar.hpp"

namespace cli {

namespace {

// What the simulator counts in a few seconds; on a large GPU several blocks for each place that a
// multiprocessor has.
constexpr std::uint64_t usual_profile_length = std::uint64_t{4} << 20;

std::string report_file(const workbook::ExerciseInfo& exercise, workbook::Tree tree) {
  return fmt::format("{}/profiles/{}-{}{}.ncu-rep", workbook::here().build_root, exercise.lab, exercise.name,
                     tree == workbook::Tree::solution ? "-solution" : "");
}

std::variant<measure::ProfiledLaunch, measure::NcuRefusal> counted_by_ncu(const RunDescription& what,
                                                                          workbook::Tree tree,
                                                                          std::uint64_t seed,
                                                                          const measure::RunOptions& launch) {
  report::ProgressBar bar(fmt::format("{} on gpu", what.exercise.lab));
  bar.update("counting with ncu");
  return measure::profile_with_ncu(
      {.ncu = find_tool("ncu"),
       .runner = workbook::here().runner(what.exercise, tree, facts::Backend::gpu),
       .report = report_file(what.exercise, tree),
       .input = what.input,
       .binning = what.binning,
       .length = what.length,
       .seed = seed,
       .block = launch.block,
       .grid = launch.grid});
}

// In the workbook's names; what this ncu does not give on this GPU is left out.
facts::Counters counters_of(const measure::ProfiledLaunch& launch) {
  facts::Counters counters;
  for (const auto& [counter, quantity] : measure::measured_counters()) {
    if (const auto value = launch.value(quantity)) counters[counter] = static_cast<std::uint64_t>(*value);
  }
  return counters;
}

measure::Figures figures_of(const measure::ProfiledLaunch& launch) {
  measure::Figures figures;
  for (const facts::Quantity& figure : measure::measured_figures()) {
    if (const auto value = launch.value(figure)) figures[std::string(figure.name)] = *value;
  }
  return figures;
}

// Runs the kernel, judged and without the profiler, and if it does not fail counts it. Where it cannot be
// counted here the finding is `unavailable`.
void count(GpuProfile& profile, const problems::Input& input, std::uint64_t seed,
           const measure::RunOptions& launch) {
  profile.report = measured_run(profile.description, profile.tree, input, launch);
  facts::Finding& finding = profile.report.finding;
  if (finding.verdict != facts::Verdict::pass && finding.verdict != facts::Verdict::wrong_answer) return;
  const auto counted = counted_by_ncu(profile.description, profile.tree, seed, launch);
  if (const auto* refusal = std::get_if<measure::NcuRefusal>(&counted)) {
    finding = {facts::Verdict::unavailable, explanation(*refusal)};
    return;
  }
  const auto& counts = std::get<measure::ProfiledLaunch>(counted);
  profile.report.counters = counters_of(counts);
  profile.figures = figures_of(counts);
  profile.file = report_file(profile.description.exercise, profile.tree);
}

// The lab before on the same input with its own launch; nothing where it is none, does not build or cannot be
// counted.
std::optional<Counted> counted_before(const GpuProfile& profile, std::uint64_t seed) {
  if (!profile.exercise_before) return std::nullopt;
  RunDescription before = profile.description;
  before.exercise = *profile.exercise_before;
  if (judge::build_runner(workbook::here(), before.exercise, tree_before(), facts::Backend::gpu))
    return std::nullopt;
  const auto counted = counted_by_ncu(before, tree_before(), seed, {});
  const auto* counts = std::get_if<measure::ProfiledLaunch>(&counted);
  if (!counts) return std::nullopt;
  return Counted{workbook::here().short_name(before.exercise), counters_of(*counts), figures_of(*counts)};
}

// The same launch on the simulator, as a whole and by line. It cuts longer inputs into several, which would
// be other launches.
void simulate(GpuProfile& profile, const problems::Input& input, std::optional<unsigned> grid,
              std::optional<unsigned> block) {
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_simulator || input.length() > measure::piece_bytes(facts::Backend::sim)) return;
  RunDescription description = profile.description;
  description.backend = facts::Backend::sim;
  const measure::RunReport report =
      measured_run(description, profile.tree, input, {.block = block, .grid = grid, .places = true});
  if (report.counters.empty()) return;
  profile.simulated = report.counters;
  const std::string runner = workbook.runner(description.exercise, profile.tree, facts::Backend::sim);
  profile.source = measure::source_profile(runner, workbook.source_file(description.exercise, profile.tree),
                                           report.places);
}

// What was recorded elsewhere, of the exercise and of the lab before on the same input.
void look_up(GpuProfile& profile, std::uint64_t seed) {
  const workbook::Workbook& workbook = workbook::here();
  const std::string folder = measure::recorded_elsewhere(workbook);
  const RunDescription& what = profile.description;
  profile.recorded =
      measure::find_recorded_profile(folder, what.exercise, {what.binning, what.input, what.length, seed});
  if (!profile.recorded || !profile.exercise_before) return;
  const measure::ProfiledInput same{profile.recorded->binning, profile.recorded->input,
                                    profile.recorded->length, profile.recorded->seed};
  const auto before = measure::find_recorded_profile(folder, *profile.exercise_before, same);
  if (before && is_of(*before, same) && before->gpu == profile.recorded->gpu) {
    profile.before =
        Counted{workbook.short_name(*profile.exercise_before), before->counters, before->figures};
  }
}

void print_recorded(const measure::RecordedProfile& recorded) {
  fmt::print("\nthe solution, recorded on an {}, {}: {} bytes of {}, binning {}; {}\n", recorded.gpu,
             recorded.time.substr(0, 10), report::with_separators(recorded.length), recorded.input,
             recorded.binning, report::shape_text(recorded.grid, recorded.block));
}

void print_profile(const GpuProfile& profile) {
  const workbook::Workbook& workbook = workbook::here();
  const report::Terminal terminal = report::Terminal::of_output();
  fmt::print("{}\n{}", run_text(profile.description), launch_text(profile.description, profile.report));
  const facts::Finding& finding = profile.report.finding;
  if (finding.verdict == facts::Verdict::unavailable) {
    fmt::print("{}: {}\n  next: lab doctor, or on the simulator: lab profile {} --on sim\n",
               verdict_text(finding.verdict, terminal), finding.message,
               workbook.short_name(profile.description.exercise));
  } else if (finding.verdict != facts::Verdict::pass) {
    fmt::print("{}", finding_text(workbook, profile.description.exercise, finding, terminal));
  }
  std::vector<Counted> columns;
  if (!profile.file.empty()) {
    columns.push_back({"measured", profile.report.counters, profile.figures});
    fmt::print("counted on the {} by ncu; to look into: ncu-ui {}\n",
               measure::gpu_device(workbook).properties.at("name"), workbook.shortened(profile.file));
  }
  if (profile.recorded) {
    columns.push_back({"recorded", profile.recorded->counters, profile.recorded->figures});
    print_recorded(*profile.recorded);
  }
  if (columns.empty()) return;
  if (profile.simulated) {
    fmt::print("\n");
    print_source(workbook.source_file(profile.description.exercise, profile.tree), profile.source);
    columns.push_back({"simulated", *profile.simulated, {}});
  } else if (profile.description.length > measure::piece_bytes(facts::Backend::sim)) {
    fmt::print(
        "the simulator's figures are left out: it cuts an input of more than {} bytes into several "
        "launches\n",
        report::with_separators(measure::piece_bytes(facts::Backend::sim)));
  }
  if (profile.before) columns.push_back(*profile.before);
  fmt::print("\n{}", counted_table(columns, terminal));
  if (profile.tree == workbook::Tree::student && finding.verdict == facts::Verdict::pass)
    print_predicted(profile.description.exercise, facts::Backend::gpu);
}

}  // namespace

int profile_on_gpu(const LaunchOptions& options, const workbook::ExerciseInfo& exercise) {
  const std::uint64_t seed = options.seed.value_or(1);
  const ChosenInput chosen = choose_input(*problems::find_problem(exercise.problem), options.binning,
                                          options.input, options.length, usual_profile_length, seed);
  const std::uint64_t length = chosen.input->length(), most = measure::piece_bytes(facts::Backend::gpu);
  if (length == 0)
    throw facts::UsageError("an input of 0 bytes is not launched, so there is nothing to count");
  if (length > most)
    throw facts::UsageError(fmt::format(
        "an input of {} bytes: lab profile counts one launch, over up to {} bytes", length, most));
  GpuProfile profile{.description = {exercise, facts::Backend::gpu, options.binning, chosen.name, length},
                     .tree = choose_tree(options.solution)};
  profile.exercise_before = exercise_before(exercise);
  measure::RunOptions launch;
  launch.block = launch_number(options.block);
  launch.grid = launch_number(options.grid);
  count(profile, *chosen.input, seed, launch);
  const measure::RunReport& report = profile.report;
  if (!profile.file.empty()) {
    profile.before = counted_before(profile, seed);
    simulate(profile, *chosen.input, report.grid, report.block);
    keep_record({.kind = "profile",
                 .tree = std::string(name_of(profile.tree)),
                 .seed = seed,
                 .figures = profile.figures},
                profile.description, report);
  } else if (report.finding.verdict == facts::Verdict::unavailable) {
    look_up(profile, seed);
    const auto& recorded = profile.recorded;
    if (recorded && is_of(*recorded, {options.binning, chosen.name, length, seed})) {
      // The record is the solution's; a student's kernel has a launch of its own.
      const bool same_kernel = profile.tree == workbook::Tree::solution;
      simulate(profile, *chosen.input, same_kernel ? std::optional(recorded->grid) : launch.grid,
               same_kernel ? std::optional(recorded->block) : launch.block);
    }
  }
  if (options.json) {
    fmt::print("{}\n", gpu_profile_json(workbook::here(), profile));
  } else {
    print_profile(profile);
  }
  return exit_code_of(report.finding);
}

}  // namespace cli
