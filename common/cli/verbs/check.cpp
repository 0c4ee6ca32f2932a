// SPDX-License-Identifier: MIT
#include "cli/verbs/check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/tools.hpp"
#include "cli/verbs/after_pass.hpp"
#include "facts/errors.hpp"
#include "report/terminal/progress_bar.hpp"

namespace cli {

namespace {

// A tool to put before the runner, such as compute-sanitizer: from the environment, for the test set-ups.
std::vector<std::string> wrapper_from_environment() {
  const char* const words = std::getenv("WORKBOOK_WRAPPER");
  std::istringstream stream(words ? words : "");
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<facts::Backend> backends_for(const std::string& on, const workbook::ExerciseInfo& exercise) {
  if (!on.empty() || !exercise.launched) return {choose_backend(on, exercise)};
  std::vector<facts::Backend> present = present_backends();
  return present.empty() ? std::vector{facts::Backend::sim} : present;
}

// The verdict of several backends is the first that is no pass.
judge::CheckReport check_everywhere(const workbook::ExerciseInfo& exercise, const CheckOptions& options,
                                    std::uint64_t seed) {
  report::ProgressBar bar("checking " + exercise.lab);
  const auto tell = [&](const std::string& step) {
    bar.update(step);
    if (options.progress) options.progress(step);
  };
  judge::CheckReport first;
  bool any = false;
  for (const facts::Backend backend : backends_for(options.on, exercise)) {
    judge::CheckReport report = judge::check(
        workbook::here(), exercise,
        {.tree = choose_tree(options.solution),
         .backend = backend,
         .seed = seed,
         .wrapper = wrapper_from_environment(),
         .progress = [&](const std::string& step) { tell(fmt::format("{}, {}", name_of(backend), step)); }});
    const bool passed = report.finding.verdict == facts::Verdict::pass;
    // What a kernel is seen to do on one backend is worth knowing on the other.
    report.notes.insert(report.notes.begin(), first.notes.begin(), first.notes.end());
    if (any && passed) {
      first.notes = std::move(report.notes);
      first.finding.message += fmt::format("\n  {}: {}", name_of(backend), report.finding.message);
      first.further.insert(first.further.end(), report.further.begin(), report.further.end());
      continue;
    }
    first = std::move(report);
    any = true;
    if (!passed) break;
  }
  return first;
}

std::string fingerprint_now(const workbook::ExerciseInfo& exercise) {
  return fingerprint_of(workbook::here().source_file(exercise, workbook::Tree::student));
}

// Of a file that was saved while it was judged nobody knows which version the verdict is about.
void remember(const judge::CheckReport& report, const std::string& fingerprint_before) {
  if (report.finding.verdict == facts::Verdict::unavailable) return;
  const bool same = fingerprint_before == fingerprint_now(report.exercise);
  Progress::change(workbook::here(), report.exercise, [&](ExerciseProgress& entry) {
    entry.verdict = name_of(report.finding.verdict);
    entry.fingerprint = same ? fingerprint_before : "";
    if (report.finding.verdict != facts::Verdict::not_started) ++entry.attempts;
  });
}

// Not where it, or another tool, is at work already.
std::string offer(const judge::CheckReport& report, bool solution) {
  if (!wrapper_from_environment().empty()) return {};
  const workbook::Workbook& workbook = workbook::here();
  return sanitizer_offer(
      report, find_tool("compute-sanitizer"),
      workbook.shortened(workbook.runner(report.exercise, choose_tree(solution), facts::Backend::gpu)));
}

void print(const judge::CheckReport& report, const CheckOptions& options) {
  const report::Terminal terminal = report::Terminal::of_output();
  fmt::print("{} {} on {}\n", report.exercise.lab, report.exercise.name, name_of(report.backend));
  fmt::print("{}", finding_text(workbook::here(), report.exercise, report.finding, terminal));
  fmt::print("{}", offer(report, options.solution));
  fmt::print("{}", further_text(workbook::here(), report, options.all));
  fmt::print("{}", notes_text(workbook::here(), report.notes));
  if (report.finding.verdict != facts::Verdict::pass && !report.cases.empty()) {
    fmt::print("  (the same inputs again: --seed {})\n", report.seed);
  }
}

int exit_code_of_all(const std::vector<judge::CheckReport>& reports) {
  int code = ExitCode::fine;
  for (const judge::CheckReport& report : reports) {
    if (report.finding.verdict == facts::Verdict::unavailable) return ExitCode::machine;
    if (report.finding.verdict != facts::Verdict::pass) code = ExitCode::not_passed;
  }
  return code;
}

}  // namespace

int check(const CheckOptions& options) {
  require_backend_name(options.on);
  const std::uint64_t seed = options.seed.value_or(fresh_seed());
  std::vector<judge::CheckReport> reports;
  for (const workbook::ExerciseInfo& exercise : find_exercises(options.lab)) {
    const std::string fingerprint = fingerprint_now(exercise);
    reports.push_back(check_everywhere(exercise, options, seed));
    if (!options.solution) remember(reports.back(), fingerprint);
    if (options.judged) options.judged(reports.back());
    if (!options.json) print(reports.back(), options);
    const std::string after = options.solution ? "" : after_pass_text(reports.back(), options.on);
    if (!options.json) fmt::print("{}", after);
  }
  if (options.json) fmt::print("{}\n", check_json(workbook::here(), reports));
  return exit_code_of_all(reports);
}

void add_check(CommandLine& line) {
  auto [verb, options] = line.add<CheckOptions>("check", "the verdict on a lab, case by case", check);
  verb.add_option("LAB", options.lab, lab_words)->required();
  verb.add_option("--on", options.on, "gpu or sim; without it, every backend present");
  verb.add_flag("--solution", options.solution, "judge the reference solution");
  verb.add_flag("--all", options.all, "tell everything that was found, not only what comes first");
  verb.add_option("--seed", options.seed, "of the random inputs; without it, a new one each time")
      ->transform(whole_number());
  verb.add_flag("--json", options.json, json_words);
}

}  // namespace cli
