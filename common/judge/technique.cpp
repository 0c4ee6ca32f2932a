// SPDX-License-Identifier: MIT
#include "judge/technique.hpp"

#include <algorithm>
#include <utility>

namespace judge {

namespace {

problems::Launch launch_of(const CaseResult& result) {
  problems::Launch launch{result.answer->grid, result.answer->block, result.answer->conduct};
  for (const auto& [name, value] : result.answer->counters) launch.counts.emplace(name, value);
  return launch;
}

}  // namespace

TechniqueResult judge_technique(RunnerSession& session, const std::string& program,
                                const problems::Reference& reference, const workbook::ExerciseInfo& exercise,
                                std::uint64_t seed, const std::vector<CaseResult>& cases,
                                const std::function<CaseResult(const Case&)>& run) {
  const auto fault_of = [&](const problems::RunCase& launch) {
    return reference.technique_fault(exercise.technique, reference.drawn_technique_length(seed), launch);
  };
  TechniqueResult found;
  found.fault = fault_of([&](const Case& what) -> std::optional<problems::Launch> {
    const auto known = std::ranges::find_if(
        cases, [&](const CaseResult& c) { return c.what == what && c.answer && !c.answer->conduct.empty(); });
    CaseResult result = known != cases.end() ? *known : run(what);
    if (result.passed()) return launch_of(result);
    found.failed.push_back(std::move(result));
    return std::nullopt;
  });
  if (!found.fault) return found;
  bool bears_it = true;
  const auto run_again = [&](const Case& what, bool deals_draws) -> std::optional<problems::Launch> {
    const auto input = reference.problem().make_input(what.input, what.variant, what.length, seed);
    session.input().write(*input);
    runner::RunRequest request{
        .variant = what.variant, .length = what.length, .misalignment = what.misalignment, .conduct = true};
    request.options.conduct_of_values = true;
    request.options.deals_draws = deals_draws;
    const CaseResult result = judged_run(session, program, reference, request,
                                         reference.expected(what.variant, *input, 0, what.length));
    bears_it &= result.passed();
    return result.passed() ? std::optional(launch_of(result)) : std::nullopt;
  };
  // What atomics are for, only the values tell that they leave.
  auto fault = fault_of([&](const Case& what) { return run_again(what, false); });
  if (bears_it) found.fault = std::move(fault);
  if (!found.fault) return found;
  // Of blocks that draw their work from a counter the first one gets more here than on a GPU: so what one
  // thread does too much of may be shared where the draws are dealt out, if the kernel bears that.
  bears_it = true;
  fault = fault_of([&](const Case& what) { return run_again(what, true); });
  if (!fault && bears_it) found.fault.reset();
  return found;
}

}  // namespace judge
