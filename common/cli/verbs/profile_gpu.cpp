// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/command_line.hpp"
#include "cli/measured.hpp"
#include "cli/verbs/profile.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "judge/build.hpp"
#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"
#include "report/terminal/screen.hpp"

namespace cli {

namespace {

// What the simulator counts in a few seconds; on a large GPU several blocks for each place that a
// multiprocessor has.
constexpr std::uint64_t usual_profile_length = std::uint64_t{4} << 20;

std::variant<measure::LaunchCounts, measure::NcuRefusal> counted_by_ncu(const measure::Record& asked,
                                                                        workbook::Tree tree,
                                                                        std::optional<unsigned> block = {},
                                                                        std::optional<unsigned> grid = {}) {
  report::ProgressBar bar(fmt::format("{} on gpu", asked.exercise.lab));
  bar.update("counting with ncu");
  return measure::counted_by_ncu(workbook::here(), find_tool("ncu"), asked, tree, block, grid);
}

// Runs the kernel, judged and without the profiler, and if it does not fail counts it. Where it cannot be
// counted here the finding is `unavailable`.
void count(Profile& profile, const problems::Input& input, const runner::RunOptions& launch) {
  measure::Record& record = profile.record;
  record = measured_run(std::move(record), profile.tree, input, launch);
  if (!record.passed() && record.finding.verdict != facts::Verdict::wrong_answer) return;
  const auto counted = counted_by_ncu(record, profile.tree, launch.block, launch.grid);
  if (const auto* refusal = std::get_if<measure::NcuRefusal>(&counted)) {
    record.finding = {facts::Verdict::unavailable, explanation(*refusal)};
    return;
  }
  record.counters = std::get<measure::LaunchCounts>(counted).counters;
  record.figures = std::get<measure::LaunchCounts>(counted).figures;
  profile.file = measure::ncu_report(workbook::here(), record.exercise, profile.tree);
}

// The lab before on the same input with its own launch; nothing where it is none, does not build or cannot be
// counted.
std::optional<Counted> counted_before(const Profile& profile) {
  if (!profile.exercise_before) return std::nullopt;
  measure::Record before = profile.record;
  before.exercise = *profile.exercise_before;
  if (judge::build_runner(workbook::here(),
                          workbook::here().target(before.exercise, tree_before(), facts::Backend::gpu)))
    return std::nullopt;
  const auto counted = counted_by_ncu(before, tree_before());
  const auto* const counts = std::get_if<measure::LaunchCounts>(&counted);
  if (!counts) return std::nullopt;
  return Counted{workbook::here().short_name(before.exercise), counts->counters, counts->figures};
}

// The same launch on the simulator, as a whole and by line. It cuts longer inputs into several, which would
// be other launches.
void simulate(Profile& profile, const problems::Input& input, std::optional<unsigned> grid,
              std::optional<unsigned> block) {
  const workbook::Workbook& workbook = workbook::here();
  if (!workbook.has_simulator || input.length() > traits_of(facts::Backend::sim).piece_bytes) return;
  measure::Record simulated{.exercise = profile.record.exercise,
                            .backend = facts::Backend::sim,
                            .variant = profile.record.variant,
                            .input = profile.record.input};
  simulated =
      measured_run(std::move(simulated), profile.tree, input, {.block = block, .grid = grid, .places = true});
  if (simulated.counters.empty()) return;
  profile.record.simulated = simulated.counters;
  profile.source =
      measure::source_profile(workbook.runner(simulated.exercise, profile.tree, facts::Backend::sim),
                              workbook.source_file(simulated.exercise, profile.tree), simulated.places);
}

// Profiles recorded elsewhere, of the exercise and of the lab before on the same input.
void look_up(Profile& profile) {
  const workbook::Workbook& workbook = workbook::here();
  const std::string folder = measure::recorded_elsewhere(workbook);
  profile.recorded = measure::find_recorded_profile(folder, profile.record.exercise, profile.record);
  if (!profile.recorded || !profile.exercise_before) return;
  const measure::Record& of = profile.recorded->record;
  const auto before = measure::find_recorded_profile(folder, *profile.exercise_before, of);
  if (before && is_of_same_input(before->record, of) &&
      before->record.machine.gpu.at("name") == of.machine.gpu.at("name")) {
    profile.before = Counted{workbook.short_name(*profile.exercise_before), before->record.counters,
                             before->record.figures};
  }
}

void print_recorded(const measure::Record& record) {
  fmt::print("\nthe solution, recorded on an {}, {}: {}; {}\n", record.machine.gpu.at("name"),
             record.time.substr(0, 10), input_text(record),
             report::shape_text(record.launch.grid, record.launch.block));
}

void print_measured(const Profile& profile) {
  const measure::Record& record = profile.record;
  const workbook::Workbook& workbook = workbook::here();
  const report::Terminal terminal = report::Terminal::of_output();
  fmt::print("{}\n{}", run_text(record), launch_text(record));
  const facts::Finding& finding = record.finding;
  if (finding.verdict == facts::Verdict::unavailable) {
    fmt::print("{}: {}\n  next: lab doctor, or on the simulator: lab profile {} --on sim\n",
               verdict_text(finding.verdict, terminal), finding.message,
               workbook.short_name(record.exercise));
  } else if (finding.verdict != facts::Verdict::pass) {
    fmt::print("{}", finding_text(workbook, record.exercise, finding, terminal));
  }
  std::vector<Counted> columns;
  if (!profile.file.empty()) {
    columns.push_back({"measured", record.counters, record.figures});
    fmt::print("counted on the {} by ncu; to look into: ncu-ui {}\n",
               measure::gpu_device(workbook).properties.at("name"), workbook.shortened(profile.file));
  }
  if (profile.recorded) {
    columns.push_back({"recorded", profile.recorded->record.counters, profile.recorded->record.figures});
    print_recorded(profile.recorded->record);
  }
  if (columns.empty()) return;
  if (!record.simulated.empty()) {
    fmt::print("\n");
    print_source(workbook.source_file(record.exercise, profile.tree), profile.source);
    columns.push_back({"simulated", record.simulated, {}});
  } else if (record.length > traits_of(facts::Backend::sim).piece_bytes) {
    fmt::print(
        "the simulator's figures are left out: it cuts an input of more than {} bytes into several "
        "launches\n",
        report::with_separators(traits_of(facts::Backend::sim).piece_bytes));
  }
  if (profile.before) columns.push_back(*profile.before);
  fmt::print("\n{}", counted_table(columns, terminal));
  if (profile.tree == workbook::Tree::student && finding.verdict == facts::Verdict::pass)
    print_predicted(record.exercise, facts::Backend::gpu);
}

}  // namespace

int profile_on_gpu(const LaunchOptions& options, const workbook::ExerciseInfo& exercise) {
  const std::uint64_t seed = options.seed.value_or(1);
  const ChosenInput chosen = choose_input(*problems::find_problem(exercise.problem), options.variant,
                                          options.input, options.length, usual_profile_length, seed);
  const std::uint64_t length = chosen.input->length(), most = traits_of(facts::Backend::gpu).piece_bytes;
  if (length == 0)
    throw facts::UsageError("an input of 0 bytes is not launched, so there is nothing to count");
  if (length > most)
    throw facts::UsageError(fmt::format(
        "an input of {} bytes: lab profile counts one launch, over up to {} bytes", length, most));
  Profile profile{.record = {.kind = "profile",
                             .seed = seed,
                             .exercise = exercise,
                             .backend = facts::Backend::gpu,
                             .variant = options.variant,
                             .input = chosen.name,
                             .length = length},
                  .tree = choose_tree(options.solution),
                  .exercise_before = exercise_before(exercise)};
  runner::RunOptions launch;
  launch.block = launch_number(options.block);
  launch.grid = launch_number(options.grid);
  count(profile, *chosen.input, launch);
  const measure::Record& record = profile.record;
  if (!profile.file.empty()) {
    profile.before = counted_before(profile);
    simulate(profile, *chosen.input, record.launch.grid, record.launch.block);
    keep_record(record);
  } else if (record.finding.verdict == facts::Verdict::unavailable) {
    look_up(profile);
    if (profile.recorded && is_of_same_input(profile.recorded->record, record)) {
      // The record is the solution's; a student's kernel has a launch of its own.
      const LaunchShape& shape = profile.recorded->record.launch;
      const bool same_kernel = profile.tree == workbook::Tree::solution;
      simulate(profile, *chosen.input, same_kernel ? std::optional(shape.grid) : launch.grid,
               same_kernel ? std::optional(shape.block) : launch.block);
    }
  }
  if (options.json) {
    fmt::print("{}\n", profile_json(workbook::here(), profile));
  } else {
    print_measured(profile);
  }
  return exit_code_of(record.finding);
}

}  // namespace cli
