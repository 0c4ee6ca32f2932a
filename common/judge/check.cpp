// SPDX-License-Identifier: MIT
#include "judge/check.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include "judge/build.hpp"
#include "judge/evidence.hpp"
#include "judge/technique.hpp"
#include "os/files.hpp"

namespace judge {

namespace {

// The threads that a block of any CUDA device may have; a runner that claims more is not believed.
constexpr unsigned largest_block = 1024;

std::string without_white_space(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

// Of several races the one that shows what the exercise lacks is told: an atomic if any race lacks one; a
// warp's barrier only if every race lies in one warp; else a barrier.
bool shows_race_better(const facts::Finding& other, const facts::Finding& known) {
  const bool better = other.diagnosis != known.diagnosis &&
                      (other.diagnosis == "missing_atomic" ||
                       (other.diagnosis == "missing_barrier" && known.diagnosis == "missing_warp_sync"));
  return better && known.verdict == facts::Verdict::race;
}

// Adds a case's findings to the report's, each kind of verdict once: the first case that showed it stands for
// all.
void merge(std::vector<facts::Finding>& all, const CaseResult& result) {
  for (const facts::Finding& finding : result.findings) {
    const auto known = std::find_if(all.begin(), all.end(),
                                    [&](const facts::Finding& f) { return f.verdict == finding.verdict; });
    if (known != all.end() && !shows_race_better(finding, *known)) continue;
    facts::Finding told = finding;
    told.message += "\n  with " + describe(result.what);
    if (known != all.end()) {
      *known = std::move(told);
    } else {
      all.push_back(std::move(told));
    }
  }
}

CaseResult run_case(RunnerSession& session, const RunnerSettings& settings, const Case& what,
                    std::uint64_t seed, bool conduct = false) {
  return judge_case(session, settings.program, what, *histogram::make_input(what.input, what.length, seed), 1,
                    conduct);
}

// Where nothing worse than wrong counts was found, further runs tell why they are wrong. They may find worse.
void explain(CheckReport& report, std::vector<facts::Finding>& found, RunnerSession& session,
             const RunnerSettings& settings) {
  const bool wrong_at_worst = std::all_of(found.begin(), found.end(), [](const facts::Finding& f) {
    return f.verdict >= facts::Verdict::wrong_answer;
  });
  const auto failed = std::find_if(report.cases.begin(), report.cases.end(),
                                   [](const CaseResult& c) { return !c.findings.empty(); });
  if (found.empty() || !wrong_at_worst || failed == report.cases.end()) return;
  const Gathered gathered = gather_evidence(session, settings, *failed, report.backend, report.seed);
  for (const CaseResult& troubled : gathered.troubled) merge(found, troubled);
  const auto diagnosis = diagnose(gathered.evidence);
  if (!diagnosis) return;
  const auto told = std::find_if(found.begin(), found.end(), [](const facts::Finding& f) {
    return f.verdict == facts::Verdict::wrong_answer;
  });
  for (facts::Finding* finding : {&failed->findings.front(), &*told}) {
    finding->diagnosis = diagnosis->name;
    finding->message = diagnosis->message + "\n  " + finding->message;
  }
}

// Right counts, but are they come by as the lab teaches? The simulator alone can tell.
void examine_technique(const CheckReport& report, std::vector<facts::Finding>& found, RunnerSession& session,
                       const RunnerSettings& settings) {
  if (!found.empty() || report.backend != facts::Backend::sim) return;
  const auto run = [&](const Case& what) {
    const auto known = std::find_if(report.cases.begin(), report.cases.end(), [&](const CaseResult& c) {
      return c.what == what && c.answer && !c.answer->conduct.empty();
    });
    return known != report.cases.end() ? *known : run_case(session, settings, what, report.seed, true);
  };
  for (const CaseResult& result : judge_technique(report.exercise, run)) merge(found, result);
}

// What the tool found that the runner runs under, if it does.
void ask_wrapper(std::vector<facts::Finding>& found, RunnerSession& session) {
  if (auto finding = session.hang_up()) found.push_back(std::move(*finding));
}

// Takes the verdict from all that was found, and the notes from all cases.
void conclude(CheckReport& report, std::vector<facts::Finding> found, const std::string& program) {
  Notes notes;
  for (const CaseResult& result : report.cases) {
    if (result.answer) notes.add(result.answer->notes, "\n  with " + describe(result.what));
  }
  report.notes = notes.told(program);
  std::stable_sort(found.begin(), found.end(), facts::comes_before);
  if (!found.empty()) {
    report.finding = found.front();
    report.further.assign(found.begin() + 1, found.end());
    return;
  }
  const auto judged =
      std::count_if(report.cases.begin(), report.cases.end(), [](const CaseResult& c) { return c.passed(); });
  report.finding = {facts::Verdict::pass,
                    fmt::format("{} cases, lengths 0 to {}", judged, report.cases.back().what.length)};
  for (const CaseResult& result : report.cases) {
    if (!result.left_out) continue;
    report.further.push_back({facts::Verdict::unavailable,
                              fmt::format("left out: {}: {}", describe(result.what), *result.left_out)});
  }
}

}  // namespace

bool equals_skeleton(const std::string& file, const std::optional<std::string>& skeleton) {
  const std::optional<std::string> text = os::read_file(file);
  return text && skeleton && without_white_space(*text) == without_white_space(*skeleton);
}

std::optional<facts::Finding> not_started(const workbook::Workbook& workbook,
                                          const workbook::ExerciseInfo& exercise, workbook::Tree tree) {
  const std::string file = workbook.source_file(exercise, tree);
  if (tree != workbook::Tree::student || !equals_skeleton(file, workbook.skeleton(exercise)))
    return std::nullopt;
  return facts::Finding{facts::Verdict::not_started,
                        fmt::format("{} is still as it came", workbook.shortened(file))};
}

std::optional<facts::Finding> missing_backend(const workbook::Workbook& workbook, facts::Backend backend) {
  const bool built = backend == facts::Backend::sim   ? workbook.has_simulator
                     : backend == facts::Backend::gpu ? workbook.has_gpu
                                                      : true;
  if (built) return std::nullopt;
  return facts::Finding{facts::Verdict::unavailable,
                        fmt::format("the backend {} is not part of this build", name_of(backend))};
}

RunnerSettings runner_settings(const std::string& program, facts::Backend backend) {
  RunnerSettings settings;
  settings.program = program;
  if (backend == facts::Backend::gpu) {
    // CUDA's driver maps and starts much of its own.
    settings.limits.memory_bytes = std::uint64_t{16} << 30;
    settings.limits.processes = 256;
  }
  return settings;
}

std::optional<facts::Finding> start_session(RunnerSession& session) {
  auto greeting = session.start();
  if (auto* finding = std::get_if<facts::Finding>(&greeting)) return std::move(*finding);
  const auto& hello = std::get<runner::Hello>(greeting);
  if (hello.unavailable.empty()) return std::nullopt;
  return facts::Finding{facts::Verdict::unavailable,
                        fmt::format("the backend {} cannot run here: {}", hello.backend, hello.unavailable)};
}

CheckReport check_runner(const RunnerSettings& settings, const workbook::ExerciseInfo& exercise,
                         const CheckOptions& options) {
  CheckReport report{.exercise = exercise, .backend = options.backend, .seed = options.seed};
  RunnerSession session(settings);
  if (auto finding = start_session(session)) {
    report.finding = std::move(*finding);
    return report;
  }
  std::vector<facts::Finding> found;
  // Lengths around the block size matter; which size the exercise chooses is known once it has run.
  const CaseResult probe = run_case(session, settings, cases_of_length(1, 0).front(), options.seed);
  if (!probe.passed()) {
    report.cases.push_back(probe);
    merge(found, probe);
    explain(report, found, session, settings);
    ask_wrapper(found, session);
    conclude(report, std::move(found), settings.program);
    return report;
  }
  const bool observed = options.backend == facts::Backend::sim && exercise.launched;
  unsigned variant = 0;
  for (const std::uint64_t length : check_lengths(std::clamp(probe.answer->block, 1u, largest_block),
                                                  options.backend == facts::Backend::gpu)) {
    if (options.progress) options.progress(fmt::format("{} bytes", length));
    for (const Case& what : cases_of_length(length, variant++)) {
      report.cases.push_back(
          run_case(session, settings, what, options.seed, length >= technique_length && observed));
      const CaseResult& result = report.cases.back();
      merge(found, result);
      if (result.answer && !result.answer->counters.empty()) report.counters = result.answer->counters;
      const bool device_lost = result.answer && result.answer->failure && !result.left_out;
      if (!result.answer || device_lost) break;
    }
    if (!found.empty()) break;
  }
  explain(report, found, session, settings);
  examine_technique(report, found, session, settings);
  ask_wrapper(found, session);
  conclude(report, std::move(found), settings.program);
  return report;
}

CheckReport check(const workbook::Workbook& workbook, const workbook::ExerciseInfo& exercise,
                  const CheckOptions& options) {
  CheckReport report{.exercise = exercise, .backend = options.backend, .seed = options.seed};
  if (auto missing = missing_backend(workbook, options.backend)) {
    report.finding = std::move(*missing);
    return report;
  }
  if (auto untouched = not_started(workbook, exercise, options.tree)) {
    report.finding = std::move(*untouched);
    return report;
  }
  if (options.progress) options.progress("building");
  const facts::Backend judged_on = workbook.judged_on(options.backend);
  if (auto finding = build_runner(workbook, exercise, options.tree, judged_on)) {
    report.finding = std::move(*finding);
    return report;
  }
  RunnerSettings settings = runner_settings(workbook.runner(exercise, options.tree, judged_on), judged_on);
  settings.wrapper = options.wrapper;
  CheckOptions judged = options;
  judged.backend = judged_on;
  report = check_runner(settings, exercise, judged);
  report.backend = options.backend;
  return report;
}

}  // namespace judge
