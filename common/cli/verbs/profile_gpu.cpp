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

std::variant<measure::LaunchCounts, measure::NcuRefusal> counted_by_ncu(const measure::Record& asked,
                                                                        workbook::Tree tree,
                                                                        std::optional<unsigned> block = {},
                                                                        std::optional<unsigned> grid = {}) {
  report::ProgressBar bar(fmt::format("{} on {}", asked.exercise.lab, name_of(asked.backend)));
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
  const auto& counts = std::get<measure::LaunchCounts>(counted);
  record.counters = counts.counters;
  record.figures = counts.figures;
  profile.launches = counts.launches;
  profile.file = measure::ncu_report(workbook::here(), record.exercise, profile.tree);
}

// The lab before on the same input with its own launch; nothing where it is none, does not build or cannot be
// counted.
std::optional<Counted> counted_before(const Profile& profile) {
  if (!profile.exercise_before) return std::nullopt;
  measure::Record before = profile.record;
  before.exercise = *profile.exercise_before;
  if (judge::build_runner(workbook::here(),
                          workbook::here().target(before.exercise, tree_before(), before.backend)))
    return std::nullopt;
  const auto counted = counted_by_ncu(before, tree_before());
  const auto* const counts = std::get_if<measure::LaunchCounts>(&counted);
  if (!counts) return std::nullopt;
  return Counted{workbook::here().short_name(before.exercise), counts->counters, counts->figures};
}

// The simulator cuts longer inputs into several, which would be other launches.
void simulate(Profile& profile, const problems::Input& input, const runner::RunOptions& launch) {
  if (workbook::here().has(facts::simulator) && input.length() <= traits_of(facts::simulator).piece_bytes)
    count_by_line(profile, input, launch);
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

}  // namespace

void count_with_ncu(Profile& profile, const problems::Input& input, const runner::RunOptions& launch) {
  count(profile, input, launch);
  const measure::Record& record = profile.record;
  if (!profile.file.empty()) {
    profile.before = counted_before(profile);
    simulate(profile, input, {.block = record.launch.block, .grid = record.launch.grid});
    keep_record(record);
  } else if (record.finding.verdict == facts::Verdict::unavailable) {
    look_up(profile);
    if (!profile.recorded || !is_of_same_input(profile.recorded->record, record)) return;
    // The record is the solution's; a student's kernel has a launch of its own.
    const LaunchShape& shape = profile.recorded->record.launch;
    const bool same_kernel = profile.tree == workbook::Tree::solution;
    simulate(profile, input,
             same_kernel ? runner::RunOptions{.block = shape.block, .grid = shape.grid} : launch);
  }
}

}  // namespace cli
