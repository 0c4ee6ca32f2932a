// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "cli/command_line.hpp"
#include "cli/junit.hpp"
#include "cli/known_devices.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/predict/outcomes.hpp"
#include "cli/progress.hpp"
#include "cli/shown_estimates.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "measure/gpu_device.hpp"
#include "os/files.hpp"
#include "problems/reference.hpp"
#include "report/numbers.hpp"
#include "report/terminal/screen.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

constexpr double worth_telling = 0.1;

// "150 times fewer"
std::string change_text(std::uint64_t before, std::uint64_t now) {
  if (before == 0) return "new";
  if (now == 0) return "none any more";
  const double factor = static_cast<double>(now) / static_cast<double>(before);
  return factor > 1 ? fmt::format("{:.3g} times as many", factor)
                    : fmt::format("{:.3g} times fewer", 1 / factor);
}

// The run by which labs are compared. Every check makes it for its verdict.
CountedRun compared_run(const workbook::ExerciseInfo& exercise) {
  const problems::Reference& reference = problems::reference_of(exercise.problem);
  const problems::Case longest = reference.cases(reference.technique_length(), 0).front();
  return {exercise, longest.variant, longest.input, longest.length};
}

// The case that stands for a run, if the check came so far on the simulator and counted; else null.
const judge::CaseResult* counted_in(const judge::CheckReport& report, const CountedRun& run) {
  const auto found = std::ranges::find_if(report.cases, [&](const judge::CaseResult& result) {
    return result.answer && !result.answer->counters.empty() &&
           run == run_of_case(report.exercise, result.what);
  });
  return found == report.cases.end() ? nullptr : &*found;
}

// The runs of an exercise to which later labs' questions refer.
std::vector<CountedRun> runs_asked_for(const workbook::Workbook& workbook,
                                       const workbook::ExerciseInfo& exercise) {
  std::vector<CountedRun> runs{compared_run(exercise)};
  std::string lab;
  for (const workbook::ExerciseInfo& other : workbook.exercises) {
    if (other.lab == lab) continue;
    lab = other.lab;
    for (const Question& question : questions_of(workbook, lab)) {
      if (question.against && question.against->exercise.is_same(exercise)) {
        runs.push_back(*question.against);
      }
    }
  }
  return runs;
}

void keep_counters(const workbook::Workbook& workbook, const judge::CheckReport& report) {
  const std::vector<CountedRun> runs = runs_asked_for(workbook, report.exercise);
  Predictions::change(workbook, [&](Predictions& kept) {
    for (const CountedRun& run : runs) {
      if (const auto* const counted = counted_in(report, run))
        kept.set_counted(run, {counted->answer->counters, counted->what.length});
    }
  });
}

std::string changes_text(const workbook::Workbook& workbook, const judge::CheckReport& report) {
  const auto before = exercise_before(report.exercise);
  const judge::CaseResult* const now = counted_in(report, compared_run(report.exercise));
  if (!before || !now) return {};
  const std::string name = workbook.short_name(report.exercise), before_name = workbook.short_name(*before);
  const auto counted_before = Predictions::load(workbook).counted(compared_run(*before));
  if (!counted_before)
    return fmt::format("against lab {}: {}\n", before_name, lab_command("profile " + name));
  const problems::Problem& problem = *problems::find_problem(report.exercise.problem);
  const problems::Case& run = now->what;
  return fmt::format(
      "against your lab {}, {}, {} {}:\n{}", before_name, run.input, problem.variant_option(), run.variant,
      changed_counters(problem, *counted_before, before_name, {now->answer->counters, run.length}, name));
}

std::string predicted_text(const workbook::Workbook& workbook, const judge::CheckReport& report,
                           const std::string& on, bool estimates) {
  Figures figures(workbook, report.exercise,
                  {.gpu = on != name_of(facts::simulator) && measure::gpu_device(workbook).works,
                   .estimates = estimates});
  figures.know(report);
  const std::string text = set_against(workbook, {report.exercise}, std::ref(figures));
  return text.empty() ? text : "predicted:\n" + text;
}

}  // namespace

std::string changed_counters(const problems::Problem& problem, const KeptCounters& before,
                             const std::string& before_name, const KeptCounters& now,
                             const std::string& name) {
  using Align = report::Table::Align;
  const report::Table table(
      {{"", Align::left, 26}, {before_name, Align::right, 12}, {name, Align::right, 12}, {"", Align::left}});
  std::string rows;
  for (const auto& [counter, quantity] : facts::counter_table) {
    const std::uint64_t was = before.counters.value(counter), is = now.counters.value(counter);
    const double change = static_cast<double>(is) - static_cast<double>(was);
    if (std::abs(change) <= worth_telling * static_cast<double>(was)) continue;
    rows += table.row({fmt::format("  {}", quantity.name), facts::separated(was), facts::separated(is),
                       change_text(was, is)});
  }
  if (rows.empty()) return rows;
  // A check draws the length, so that the two are seldom the same.
  return table.header() +
         table.row({fmt::format("  {}", problem.elements()), facts::separated(before.length),
                    facts::separated(now.length), ""}) +
         rows;
}

std::string after_pass_text(const judge::CheckReport& report, const std::string& on, bool estimates) {
  if (report.finding.verdict != facts::Verdict::pass) return {};
  const workbook::Workbook& workbook = workbook::here();
  std::string text;
  // The verdict stands, whatever becomes of this.
  try {
    text += predicted_text(workbook, report, on, estimates);
    text += changes_text(workbook, report);
    keep_counters(workbook, report);
  } catch (const facts::MachineError& error) {
    fmt::print(stderr, "lab: {}\n", error.what());
  }
  if (workbook.has_solutions)
    text += fmt::format("  next: {}\n", lab_command("compare " + workbook.short_name(report.exercise)));
  return text;
}

std::string estimate_after_pass(const judge::CheckReport& report, bool named) {
  const workbook::Workbook& workbook = workbook::here();
  if (report.finding.verdict != facts::Verdict::pass || !report.exercise.launched ||
      measure::gpu_device(workbook).works)
    return {};
  const auto device = shown_device();
  if (!device) return {};
  EstimateQuestion question = estimate_question(LaunchOptions{}, report.exercise);
  question.judged = true;
  const Estimated estimated = estimated_run(question, *device);
  const std::string command = lab_command("estimate " + workbook.short_name(report.exercise));
  const auto estimate = kept_estimate(estimated);
  const std::string name = named ? workbook.short_name(report.exercise) + ": " : std::string();
  if (!estimate) return fmt::format("{}no estimate of its time on a GPU: {}\n", name, estimated.message);
  const std::string sentence =
      estimate_sentence(*estimate, input_text(estimated.record), report::Terminal::of_output());
  const std::string known =
      estimated.message.empty() ? std::string() : fmt::format("  {}\n", estimated.message);
  return fmt::format("{}{}\n{}  more: {}\n", name, sentence, known, command);
}

namespace {

struct SanitizerTool {
  std::string name, looks_for;
};

std::optional<SanitizerTool> sanitizer_for(const facts::Finding& finding) {
  const SanitizerTool memcheck{"memcheck", "accesses out of bounds"};
  if (finding.verdict == facts::Verdict::out_of_bounds || finding.verdict == facts::Verdict::crash)
    return memcheck;
  if (finding.verdict != facts::Verdict::wrong_answer) return std::nullopt;
  if (finding.diagnosis == "past_the_end") return memcheck;
  if (finding.diagnosis == "uncleared_counters")
    return SanitizerTool{"initcheck", "global memory that is read before it is written"};
  const bool like_a_race = finding.diagnosis.empty() || finding.diagnosis == "not_deterministic" ||
                           finding.diagnosis == "lost_updates";
  return like_a_race ? std::optional(SanitizerTool{"racecheck", "races in shared memory"}) : std::nullopt;
}

struct CheckOptions {
  std::string lab, on;
  bool solution = false, json = false;
  bool all = false;                   // print every finding, not only the first
  std::optional<std::uint64_t> seed;  // of the random inputs; without it, a new one each time
  double time_limit = 60;             // in seconds
  std::string junit;                  // "xml:FILE", as `meson test` names the file that it collects
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
    judge::CheckReport report = judge::check(workbook::here(), target,
                                             {.seed = manner.seed,
                                              .wrapper = wrapper_from_environment(),
                                              .time_limit = manner.time_limit,
                                              .progress = tell,
                                              .ahead = true});
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
  say("{} {} on {}\n", report.exercise.lab, report.exercise.name, name_of(report.backend));
  say("{}", finding_text(workbook::here(), report.exercise, report.finding, terminal));
  fmt::print("{}", offer(report, targets));  // one line, to be pasted
  say("{}", further_text(workbook::here(), report, all, terminal));
  say("{}", notes_text(workbook::here(), report.notes));
  say("{}", unseen_text(workbook::here(), report, targets.size()));
  if (report.finding.verdict != facts::Verdict::pass && !report.cases.empty()) {
    say("  (the same inputs again: --seed {})\n", report.seed);
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

// Below all verdicts, which nobody should wait for.
void print_estimates(const std::vector<judge::CheckReport>& reports) {
  for (const judge::CheckReport& report : reports) {
    std::fflush(stdout);
    if (report.exercise.is_variant()) continue;
    // The verdict stands, whatever becomes of this.
    try {
      say("{}", estimate_after_pass(report, reports.size() > 1));
    } catch (const std::exception& error) {
      fmt::print(stderr, "lab: no estimate: {}\n", error.what());
    }
  }
}

constexpr std::string_view junit_form = "xml:";

int check(const CheckOptions& options) {
  require_backend_name(options.on);
  const std::string junit = options.junit.substr(std::min(junit_form.size(), options.junit.size()));
  // Where this check ends without a verdict, nothing is told of an earlier one.
  if (!junit.empty()) std::remove(junit.c_str());
  const CheckManner manner{
      .seed = options.seed.value_or(fresh_seed()),
      .on = options.on,
      .all = options.all,
      .silent = options.json,
      .estimates = junit.empty(),
      .time_limit = std::chrono::milliseconds(static_cast<std::int64_t>(options.time_limit * 1000))};
  std::vector<judge::CheckReport> reports;
  for (const workbook::ExerciseInfo& exercise : find_versions(options.lab))
    reports.push_back(check_exercise(judged_targets(exercise, options.on, options.solution), manner));
  if (!options.json && junit.empty() && !options.solution) print_estimates(reports);
  if (options.json) fmt::print("{}\n", check_json(workbook::here(), reports));
  if (!junit.empty()) os::write_file(junit, junit_document(workbook::here(), reports));
  return exit_code_of_all(reports);
}

}  // namespace

std::string sanitizer_offer(const judge::CheckReport& report, const std::string& sanitizer,
                            const std::string& runner) {
  const auto failed = std::find_if(report.cases.begin(), report.cases.end(),
                                   [](const judge::CaseResult& c) { return !c.findings.empty(); });
  const auto tool = sanitizer_for(report.finding);
  if (!facts::traits_of(report.backend).accelerator || sanitizer.empty() || !tool ||
      failed == report.cases.end())
    return {};
  return fmt::format("  or, for {}: {} --tool {} {} --{} {} --input {} --length {}\n", tool->looks_for,
                     sanitizer, tool->name, runner,
                     problems::find_problem(report.exercise.problem)->variant_option(), failed->what.variant,
                     failed->what.input, failed->what.length);
}

judge::CheckReport check_exercise(const std::vector<workbook::Target>& targets, const CheckManner& manner) {
  const std::string& source = targets.front().source;
  const bool is_students = targets.front().tree == workbook::Tree::student;
  const std::string fingerprint = fingerprint_of(source);
  judge::CheckReport report = judge_everywhere(targets, manner);
  if (is_students) remember(report, source, fingerprint);
  if (manner.judged) manner.judged(report);
  if (!manner.silent) print(report, targets, manner.all);
  std::fflush(stdout);  // before anything that takes longer
  const std::string after =
      is_students ? after_pass_text(report, manner.on, manner.estimates && !manner.silent) : "";
  if (!manner.silent) say("{}", after);
  return report;
}

void add_check(CommandLine& line) {
  auto [verb, options] = line.add<CheckOptions>("check", "the verdict on a lab, case by case", check);
  verb.add_option("LAB", options.lab, lab_words())->required();
  add_on_option(verb, options.on, "every backend present");
  verb.add_flag("--solution", options.solution, "judge the reference solution");
  verb.add_flag("--all", options.all, "tell everything that was found, not only what comes first");
  add_seed_option(verb, options.seed, "of the random inputs; without it, a new one each time");
  verb.add_option("--time-limit", options.time_limit,
                  "seconds for compiling and judging a file on a backend; without it, 60")
      ->check(CLI::Range(0.1, 86400.0));
  verb.add_flag("--json", options.json, json_words);
  // GoogleTest's name for it, which `meson test` knows; not in --help.
  verb.add_option("--gtest_output", options.junit)->group("");
}

}  // namespace cli
