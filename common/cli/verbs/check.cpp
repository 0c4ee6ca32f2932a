// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "cli/program.hpp"
#include "cli/progress.hpp"
#include "cli/selection.hpp"
#include "cli/tools.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "report/terminal/screen.hpp"

namespace cli {

namespace {

struct CheckOptions {
  std::string lab, on;
  bool solution = false, json = false;
  bool all = false;                   // print every finding, not only the first
  std::optional<std::uint64_t> seed;  // of the random inputs; without it, a new one each time
};

// A tool to put before the runner, such as compute-sanitizer: from the environment, for the test set-ups.
std::vector<std::string> wrapper_from_environment() {
  const char* const words = std::getenv("WORKBOOK_WRAPPER");
  std::istringstream stream(words ? words : "");
  return {std::istream_iterator<std::string>(stream), {}};
}

// Across backends, the first verdict other than pass wins.
judge::CheckReport judge_everywhere(const std::vector<workbook::Target>& targets, const CheckManner& manner) {
  report::ProgressBar bar("checking " + targets.front().exercise.lab);
  judge::CheckReport first;
  bool any = false;
  for (const workbook::Target& target : targets) {
    const auto tell = [&](const std::string& step) {
      const std::string text = fmt::format("{}, {}", name_of(target.backend), step);
      bar.update(text);
      if (manner.progress) manner.progress(text);
    };
    judge::CheckReport report =
        judge::check(workbook::here(), target,
                     {.seed = manner.seed, .wrapper = wrapper_from_environment(), .progress = tell});
    const bool passed = report.finding.verdict == facts::Verdict::pass;
    // A note about a kernel on one backend is worth reading on the other.
    report.notes.insert(report.notes.begin(), first.notes.begin(), first.notes.end());
    if (any && passed) {
      first.notes = std::move(report.notes);
      first.finding.message += fmt::format("\n  {}: {}", name_of(target.backend), report.finding.message);
      first.further.insert(first.further.end(), report.further.begin(), report.further.end());
      continue;
    }
    first = std::move(report);
    any = true;
    if (!passed) break;
  }
  return first;
}

// If the file was saved while it was judged, nobody knows which version the verdict is about.
void remember(const judge::CheckReport& report, const std::string& source,
              const std::string& fingerprint_before) {
  if (report.finding.verdict == facts::Verdict::unavailable) return;
  const bool same = fingerprint_before == fingerprint_of(source);
  Progress::change(workbook::here(), report.exercise, [&](ExerciseProgress& entry) {
    entry.verdict = name_of(report.finding.verdict);
    entry.fingerprint = same ? fingerprint_before : "";
    if (report.finding.verdict != facts::Verdict::not_started) ++entry.attempts;
  });
}

// A tool that looks for the cause, unless it or another tool is at work already.
std::string offer(const judge::CheckReport& report, const std::vector<workbook::Target>& targets) {
  if (!wrapper_from_environment().empty()) return {};
  const auto judged = std::find_if(targets.begin(), targets.end(), [&](const workbook::Target& target) {
    return target.backend == report.backend;
  });
  return sanitizer_offer(report, find_tool("compute-sanitizer"), workbook::here().shortened(judged->runner));
}

void print(const judge::CheckReport& report, const std::vector<workbook::Target>& targets, bool all) {
  const report::Terminal terminal = report::Terminal::of_output();
  fmt::print("{} {} on {}\n", report.exercise.lab, report.exercise.name, name_of(report.backend));
  fmt::print("{}", finding_text(workbook::here(), report.exercise, report.finding, terminal));
  fmt::print("{}", offer(report, targets));
  fmt::print("{}", further_text(workbook::here(), report, all));
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

int check(const CheckOptions& options) {
  require_backend_name(options.on);
  const CheckManner manner{.seed = options.seed.value_or(fresh_seed()),
                           .on = options.on,
                           .all = options.all,
                           .silent = options.json};
  std::vector<judge::CheckReport> reports;
  for (const workbook::ExerciseInfo& exercise : find_exercises(options.lab))
    reports.push_back(check_exercise(judged_targets(exercise, options.on, options.solution), manner));
  if (options.json) fmt::print("{}\n", check_json(workbook::here(), reports));
  return exit_code_of_all(reports);
}

}  // namespace

judge::CheckReport check_exercise(const std::vector<workbook::Target>& targets, const CheckManner& manner) {
  const std::string& source = targets.front().source;
  const bool is_students = targets.front().tree == workbook::Tree::student;
  const std::string fingerprint = fingerprint_of(source);
  judge::CheckReport report = judge_everywhere(targets, manner);
  if (is_students) remember(report, source, fingerprint);
  if (manner.judged) manner.judged(report);
  if (!manner.silent) print(report, targets, manner.all);
  const std::string after = is_students ? after_pass_text(report, manner.on) : "";
  if (!manner.silent) fmt::print("{}", after);
  return report;
}

void add_check(CommandLine& line) {
  auto [verb, options] = line.add<CheckOptions>("check", "the verdict on a lab, case by case", check);
  verb.add_option("LAB", options.lab, lab_words())->required();
  verb.add_option("--on", options.on, "gpu or sim; without it, every backend present");
  verb.add_flag("--solution", options.solution, "judge the reference solution");
  verb.add_flag("--all", options.all, "tell everything that was found, not only what comes first");
  verb.add_option("--seed", options.seed, "of the random inputs; without it, a new one each time")
      ->transform(whole_number());
  verb.add_flag("--json", options.json, json_words);
}

}  // namespace cli
