// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <cmath>

#include "cli/predict/outcomes.hpp"
#include "cli/selection.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/errors.hpp"
#include "measure/gpu_device.hpp"
#include "problems/reference.hpp"
#include "report/numbers.hpp"
#include "report/terminal/table.hpp"

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

// The counters of a case, if the check came so far on the simulator.
std::optional<facts::Counters> counted_in(const judge::CheckReport& report, const CountedRun& run) {
  for (const judge::CaseResult& result : report.cases) {
    const bool counted = result.answer && !result.answer->counters.empty();
    if (counted &&
        run == CountedRun{report.exercise, result.what.variant, result.what.input, result.what.length})
      return result.answer->counters;
  }
  return std::nullopt;
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
      if (question.against && question.against->exercise.lab == exercise.lab &&
          question.against->exercise.name == exercise.name) {
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
      if (auto counters = counted_in(report, run)) kept.set_counted(run, std::move(*counters));
    }
  });
}

std::string changes_text(const workbook::Workbook& workbook, const judge::CheckReport& report) {
  const auto before = exercise_before(report.exercise);
  const auto now = counted_in(report, compared_run(report.exercise));
  if (!before || !now) return {};
  const std::string name = workbook.short_name(report.exercise), before_name = workbook.short_name(*before);
  const auto counters_before = Predictions::load(workbook).counted(compared_run(*before));
  if (!counters_before) return fmt::format("against lab {}: lab profile {}\n", before_name, name);
  const problems::Problem& problem = *problems::find_problem(report.exercise.problem);
  const CountedRun run = compared_run(report.exercise);
  return fmt::format("against your lab {}, {} {} of {}, {} {}:\n{}", before_name,
                     report::with_separators(run.length), problem.elements(), run.input,
                     problem.variant_option(), run.variant,
                     changed_counters(*counters_before, before_name, *now, name));
}

std::string predicted_text(const workbook::Workbook& workbook, const judge::CheckReport& report,
                           const std::string& on) {
  Figures figures(workbook, report.exercise,
                  {.gpu = on != name_of(facts::Backend::sim) && measure::gpu_device(workbook).works});
  figures.know(report);
  const std::string text = set_against(workbook, {report.exercise}, std::ref(figures));
  return text.empty() ? text : "predicted:\n" + text;
}

}  // namespace

std::string changed_counters(const facts::Counters& before, const std::string& before_name,
                             const facts::Counters& now, const std::string& name) {
  using Align = report::Table::Align;
  const report::Table table(
      {{"", Align::left, 26}, {before_name, Align::right, 12}, {name, Align::right, 12}, {"", Align::left}});
  std::string rows;
  for (const auto& [counter, quantity] : facts::counter_table) {
    const std::uint64_t was = before.value(counter), is = now.value(counter);
    const double change = static_cast<double>(is) - static_cast<double>(was);
    if (std::abs(change) <= worth_telling * static_cast<double>(was)) continue;
    rows += table.row({fmt::format("  {}", quantity.name), report::with_separators(was),
                       report::with_separators(is), change_text(was, is)});
  }
  return rows.empty() ? rows : table.header() + rows;
}

std::string after_pass_text(const judge::CheckReport& report, const std::string& on) {
  if (report.finding.verdict != facts::Verdict::pass) return {};
  const workbook::Workbook& workbook = workbook::here();
  std::string text;
  // The verdict stands, whatever becomes of this.
  try {
    text += predicted_text(workbook, report, on);
    text += changes_text(workbook, report);
    keep_counters(workbook, report);
  } catch (const facts::MachineError& error) {
    fmt::print(stderr, "lab: {}\n", error.what());
  }
  if (workbook.has_solutions)
    text += fmt::format("  next: lab compare {}\n", workbook.short_name(report.exercise));
  return text;
}

}  // namespace cli
