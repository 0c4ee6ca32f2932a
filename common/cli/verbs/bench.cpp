// SPDX-License-Identifier: MIT
#include "cli/verbs/bench.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/command_line.hpp"
#include "cli/messages.hpp"
#include "facts/errors.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"

namespace cli {

namespace {

// The inputs of a full ladder: each shows another thing. Uniform letters and bytes, a text, the most
// contention there is, and long runs, where aggregation has its chance.
constexpr const char* ladder_inputs[] = {"letters", "bytes", "text", "same", "runs"};

constexpr std::uint64_t longest = std::uint64_t{4} << 30;
constexpr std::uint64_t usual_length = std::uint64_t{1} << 30;
constexpr std::uint64_t counted_length = 1 << 20;

std::vector<std::string> chosen_variants(const problems::Problem& problem, const std::string& name) {
  if (name != "all") {
    require_variant(problem, name);
    return {name};
  }
  std::vector<std::string> names;
  for (const problems::Variant& variant : problem.variants()) names.emplace_back(variant.name);
  return names;
}

std::uint64_t chosen_length(const BenchOptions& options, facts::Backend backend,
                            const measure::SweepKind* sweep) {
  const std::uint64_t length =
      options.length.value_or(traits_of(backend).simulated ? counted_length : usual_length);
  if (length == 0) throw facts::UsageError("--length 0: there is nothing to measure");
  if (length > longest)
    throw facts::UsageError(
        fmt::format("--length {}: lab bench measures up to {} bytes at a time", length, longest));
  if (sweep && length < sweep->shortest) {
    throw facts::UsageError(
        fmt::format("--length {}: --sweep {} begins at {} bytes", length, sweep->name, sweep->shortest));
  }
  return length;
}

std::vector<workbook::ExerciseInfo> chosen_exercises(const std::string& lab,
                                                     const measure::SweepKind* sweep) {
  std::vector<workbook::ExerciseInfo> exercises =
      lab.empty() ? workbook::here().exercises : find_exercises(lab);
  if (!sweep) return exercises;
  std::erase_if(exercises,
                [&](const workbook::ExerciseInfo& exercise) { return !measure::applies(*sweep, exercise); });
  if (exercises.empty()) {
    throw facts::UsageError(
        fmt::format("--sweep {} does not fit lab {}: {}", sweep->name, lab,
                    sweep->sets_grid ? fmt::format("the number of blocks can be chosen in {} alone",
                                                   labs_where([&](const workbook::ExerciseInfo& exercise) {
                                                     return measure::applies(*sweep, exercise);
                                                   }))
                                     : "it launches no kernel"));
  }
  return exercises;
}

const measure::SweepKind* chosen_sweep(const std::string& name) {
  if (name.empty()) return nullptr;
  if (const measure::SweepKind* const kind = measure::find_sweep(name)) return kind;
  std::vector<std::string> names;
  for (const measure::SweepKind& kind : measure::sweep_kinds()) names.emplace_back(kind.name);
  throw facts::UsageError(fmt::format("--sweep {}: no such sweep; the sweeps are: {}", name, join(names)));
}

// A backend that cannot run here.
std::optional<facts::Finding> missing_here(facts::Backend backend) {
  if (auto not_built = judge::missing_backend(workbook::here(), backend)) return not_built;
  const measure::GpuDevice& gpu = measure::gpu_device(workbook::here());
  if (!traits_of(backend).accelerator || gpu.works) return std::nullopt;
  return facts::Finding{facts::Verdict::unavailable,
                        fmt::format("the backend gpu cannot run here: {}", gpu.why_not)};
}

// Once, and not for each rung or point. In place of a ladder the one that was measured elsewhere is shown.
void tell_missing(const BenchOptions& options, const BenchPlan& plan, const facts::Finding& finding,
                  bool ladder) {
  if (options.json) {
    std::vector<measure::Record> records;
    for (const workbook::ExerciseInfo& exercise : plan.exercises) {
      records.push_back(plan.asked("bench", plan.inputs.front(), plan.variants.front()));
      records.back().exercise = exercise;
      records.back().finding = finding;
    }
    fmt::print("{}\n", runs_json(workbook::here(), records));
    return;
  }
  fmt::print("{}",
             finding_text(workbook::here(), plan.exercises.front(), finding, report::Terminal::of_output()));
  for (const std::string& input : plan.inputs) {
    for (const std::string& variant : plan.variants) {
      if (ladder) print_recorded_ladder(input, variant);
    }
  }
}

int bench(const BenchOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  const auto sweep = chosen_sweep(options.sweep);
  if (!options.lab.empty() && !sweep)
    throw facts::UsageError(
        "LAB goes with --sweep; without it lab bench measures all labs against each other");
  BenchPlan plan;
  plan.exercises = chosen_exercises(options.lab, sweep);
  const problems::Problem& problem = *problems::find_problem(plan.exercises.front().problem);
  plan.variants = chosen_variants(problem, options.variant);
  plan.inputs = options.input == "all"
                    ? std::vector<std::string>(std::begin(ladder_inputs), std::end(ladder_inputs))
                    : std::vector{options.input};
  plan.tree = options.own || !workbook.has_solutions ? workbook::Tree::student : workbook::Tree::solution;
  plan.backend =
      choose_backend(options.on, *std::find_if(workbook.exercises.begin(), workbook.exercises.end(),
                                               [](const auto& e) { return e.launched; }));
  plan.length = chosen_length(options, plan.backend, sweep);
  plan.seed = options.seed.value_or(1);
  for (const std::string& input : plan.inputs)
    choose_input(problem, plan.variants.front(), input, plan.length, plan.length,
                 plan.seed);  // complains before anything runs
  if (const auto finding = missing_here(plan.backend)) {
    tell_missing(options, plan, *finding, !sweep);
    return ExitCode::machine;
  }
  if (sweep) return bench_sweep(options, plan, *sweep);
  return traits_of(plan.backend).simulated ? bench_counters(options, plan) : bench_ladder(options, plan);
}

}  // namespace

ChosenInput BenchPlan::choose(const std::string& input) const {
  return choose_input(*problems::find_problem(exercises.front().problem), variants.front(), input, length,
                      length, seed);
}

measure::Record BenchPlan::asked(const std::string& kind, const std::string& input,
                                 const std::string& variant) const {
  measure::Record record;
  record.kind = kind;
  record.tree = name_of(tree);
  record.seed = seed;
  record.backend = backend;
  record.variant = variant;
  record.input = input;
  record.length = length;
  return record;
}

void add_bench(CommandLine& line) {
  auto [verb, options] = line.add<BenchOptions>(
      "bench", "all labs against each other, CUB and the limit of reading; sweeps", bench);
  verb.add_option("LAB", options.lab, "with --sweep: the lab that is swept; without it, all");
  verb.add_option("--sweep", options.sweep, "block, grid, length, contention or coarsening");
  verb.add_option("--input", options.input, "a named input, a file, or all")->capture_default_str();
  add_variant_option(verb, options.variant, true);
  verb.add_option("--length", options.length, "bytes; without it 1 GiB on a GPU, 1 MiB on the simulator")
      ->transform(CLI::AsSizeValue(false))
      ->transform(whole_number(true));
  verb.add_option("--seed", options.seed, "of a random input; without it, 1")->transform(whole_number());
  verb.add_option("--on", options.on, "gpu or sim; without it, the GPU where one works");
  verb.add_flag("--own", options.own, "the student's own labs in place of the solutions");
  verb.add_flag("--json", options.json, json_words);
}

}  // namespace cli
