// SPDX-License-Identifier: MIT
#include "cli/predict/figures.hpp"

#include <fmt/core.h>

#include "cli/measured.hpp"

namespace cli {

namespace {

constexpr std::uint64_t input_seed = 1;

// A time, or what the result says; not a counter.
bool is_measured(const CountedRun& run, const std::string& figure) {
  return figure == time_figure ||
         problems::reference_of(run.exercise.problem).figures(run.variant, {}).contains(figure);
}

}  // namespace

void Figures::know(const judge::CheckReport& report) {
  for (const judge::CaseResult& result : report.cases) {
    if (!result.answer || result.answer->counters.empty()) continue;
    known_[{report.exercise, result.what.variant, result.what.input, result.what.length}] =
        result.answer->counters;
  }
}

FigureOrReason Figures::operator()(const CountedRun& run, const std::string& figure) {
  if (!is_measured(run, figure)) return counter(run, figure);
  if (!run.exercise.launched) return measured(run, figure, facts::Backend::cpu);
  if (sources_.gpu) return measured(run, figure, facts::Backend::gpu);
  return "needs a GPU" +
         (workbook_.has_gpu ? fmt::format(": lab check {} --on gpu", at_hand_) : std::string());
}

FigureOrReason Figures::counter(const CountedRun& run, const std::string& figure) {
  std::optional<facts::Counters> counters;
  if (const auto known = known_.find(run); known != known_.end()) {
    counters = known->second;
  } else if (workbook_.short_name(run.exercise) != at_hand_) {
    counters = kept_.counted(run);
  }
  if (!counters)
    return sources_.simulator ? measured(run, figure, facts::Backend::sim) : FigureOrReason(unknown(run));
  const auto value = counters->find(figure);
  return value ? static_cast<double>(*value) : FigureOrReason(fmt::format("no counter is called {}", figure));
}

std::string Figures::unknown(const CountedRun& run) const {
  const std::string name = workbook_.short_name(run.exercise);
  return name == at_hand_
             ? fmt::format("needs the simulator: lab check {} --on sim", name)
             : fmt::format("known once lab {} has passed on the simulator: lab check {}", name, name);
}

FigureOrReason Figures::measured(const CountedRun& run, const std::string& figure, facts::Backend backend) {
  auto [found, is_new] = runs_.try_emplace({backend, run});
  measure::Record& record = found->second;
  if (is_new) {
    const problems::Problem& problem = *problems::find_problem(run.exercise.problem);
    const auto input = problem.make_input(run.input, run.variant, run.length, input_seed);
    record = measured_run({.seed = input_seed,
                           .exercise = run.exercise,
                           .backend = backend,
                           .variant = run.variant,
                           .input = run.input,
                           .length = run.length},
                          workbook::Tree::student, *input);
  }
  if (!record.passed()) {
    return fmt::format("lab {} gives no figures here: {}", workbook_.short_name(run.exercise),
                       name_of(record.finding.verdict));
  }
  const auto of_result = problems::reference_of(run.exercise.problem).figures(run.variant, record.result);
  if (const auto known = of_result.find(figure); known != of_result.end()) return known->second;
  if (figure == time_figure)
    return record.time_ms ? FigureOrReason(record.time_ms->median) : std::string("was not timed");
  known_[run] = record.counters;
  return counter(run, figure);
}

}  // namespace cli
