// SPDX-License-Identifier: MIT
#include "cli/verbs/bench.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/known_devices.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "judge/check.hpp"
#include "measure/gpu_device.hpp"

namespace cli {

namespace {

constexpr std::uint64_t longest = std::uint64_t{4} << 30;
constexpr std::uint64_t usual_length = std::uint64_t{1} << 30;
constexpr std::uint64_t counted_length = 1 << 20;

std::vector<std::string> chosen_variants(const problems::Problem& problem, const std::string& name) {
  if (name != "all") {
    require_variant(problem, name);
    return {name};
  }
  return names_of(problem.variants());
}

std::uint64_t chosen_length(const BenchOptions& options, facts::Backend backend,
                            const measure::SweepKind* sweep, std::string_view elements) {
  const std::uint64_t length =
      options.length.value_or(traits_of(backend).simulated ? counted_length : usual_length);
  if (length == 0) throw facts::UsageError("--length 0: there is nothing to measure");
  if (length > longest)
    throw facts::UsageError(
        fmt::format("--length {}: lab bench measures up to {} {} at a time", length, longest, elements));
  if (sweep && length < sweep->shortest) {
    throw facts::UsageError(fmt::format("--length {}: --sweep {} begins at {} {}", length, sweep->name,
                                        sweep->shortest, elements));
  }
  return length;
}

// Without LAB the course's.
const problems::Problem& chosen_problem(const std::string& lab) {
  return lab.empty() ? *problems_in_use().front() : problem_of(find_versions(lab).front());
}

// Each exercise with its variants behind it, of a variant the exercise with this one; what has none is left
// out.
std::vector<workbook::ExerciseInfo> with_variants(const std::vector<workbook::ExerciseInfo>& named) {
  const workbook::Workbook& workbook = workbook::here();
  std::vector<workbook::ExerciseInfo> all;
  for (const workbook::ExerciseInfo& exercise : workbook.exercises) {
    std::vector<workbook::ExerciseInfo> variants;
    for (const workbook::ExerciseInfo& variant : workbook.variants_of(exercise)) {
      const auto means = [&](const auto& one) { return one.is_same(exercise) || one.is_same(variant); };
      if (std::ranges::any_of(named, means)) variants.push_back(variant);
    }
    if (variants.empty()) continue;
    all.push_back(exercise);
    all.insert(all.end(), variants.begin(), variants.end());
  }
  if (all.empty()) {
    throw facts::UsageError(
        fmt::format("--variants: there are none{}",
                    workbook.has_solutions ? " in this lab" : ", because this tree has no solutions/"));
  }
  return all;
}

// Without a sweep or variants all of the problem's.
std::vector<workbook::ExerciseInfo> chosen_exercises(const problems::Problem& problem,
                                                     const BenchOptions& options,
                                                     const measure::SweepKind* sweep) {
  const std::string& lab = options.lab;
  const bool all = lab.empty() || (!sweep && !options.variants);
  std::vector<workbook::ExerciseInfo> exercises = all ? workbook::here().exercises : find_versions(lab);
  if (options.variants) exercises = with_variants(exercises);

  std::erase_if(exercises,
                [&](const workbook::ExerciseInfo& exercise) { return exercise.problem != problem.name(); });
  if (!sweep) return exercises;
  const bool launched = std::ranges::any_of(exercises, &workbook::ExerciseInfo::launched);
  const auto is_swept = [&](const workbook::ExerciseInfo& exercise) {
    return measure::applies(*sweep, exercise);
  };
  std::erase_if(exercises, [&](const workbook::ExerciseInfo& exercise) { return !is_swept(exercise); });
  if (exercises.empty()) {
    const std::string why =
        !launched ? "it launches no kernel"
        : sweep->sets_grid
            ? fmt::format("the number of blocks can be chosen in {} alone", labs_where(is_swept))
            : fmt::format("it is measured in {} alone", labs_where(is_swept));
    throw facts::UsageError(fmt::format("--sweep {} does not fit lab {}: {}", sweep->name, lab, why));
  }
  return exercises;
}

const measure::SweepKind* chosen_sweep(const std::string& name) {
  if (name.empty()) return nullptr;
  if (const measure::SweepKind* const kind = measure::find_sweep(name)) return kind;
  throw facts::UsageError(fmt::format("--sweep {}: no such sweep; the sweeps are: {}", name,
                                      join(names_of(measure::sweep_kinds()))));
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
int tell_missing(Bench& bench, const facts::Finding& finding) {
  for (const workbook::ExerciseInfo& exercise : bench.exercises) {
    measure::Record record = bench.asked(bench.inputs.front(), bench.variants.front(), exercise);
    record.finding = finding;
    bench.add(std::move(record));
  }
  const int exit_code = bench.finish(
      finding_text(workbook::here(), bench.exercises.front(), finding, report::Terminal::of_output()));
  if (bench.sweep || bench.options.variants || bench.options.json) return exit_code;
  for (const std::string& input : bench.inputs) {
    for (const std::string& variant : bench.variants) print_recorded_ladder(input, variant);
  }
  return exit_code;
}

int bench(const BenchOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  const auto sweep = chosen_sweep(options.sweep);
  const problems::Problem& problem = chosen_problem(options.lab);
  if (!options.lab.empty() && !sweep && !options.variants && &problem == problems_in_use().front())
    throw facts::UsageError(
        "LAB goes with --sweep or --variants; without them lab bench measures all labs against each other");
  Bench bench{.options = options, .sweep = sweep, .exercises = chosen_exercises(problem, options, sweep)};
  bench.variants = chosen_variants(problem, options.variant.any_of(problem, options.input));
  const std::vector<std::string> ladder_inputs = bench.reference().ladder_inputs();
  bench.inputs = options.input == "all"  ? ladder_inputs
                 : options.input.empty() ? std::vector{ladder_inputs.front()}
                                         : std::vector{options.input};
  bench.tree = options.own || !workbook.has_solutions ? workbook::Tree::student : workbook::Tree::solution;
  bench.backend = choose_backend(options.on, first_launched(problem));
  if (options.warm && !traits_of(bench.backend).timed) {
    throw facts::UsageError(fmt::format(
        "--warm: the backend {} is not timed, and nothing of it depends on a cache", name_of(bench.backend)));
  }
  bench.length = chosen_length(options, bench.backend, sweep, problem.elements());
  bench.seed = options.seed.value_or(1);
  bench.device = shown_device();
  bench.estimated_length =
      traits_of(bench.backend).simulated ? options.length.value_or(usual_length) : bench.length;
  for (const std::string& input : bench.inputs) bench.choose(input);  // complains before anything runs
  if (const auto finding = missing_here(bench.backend)) return tell_missing(bench, *finding);
  return sweep ? bench_sweep(bench) : options.variants ? bench_variants(bench) : bench_ladder(bench);
}

}  // namespace

const problems::Reference& Bench::reference() const {
  return problems::reference_of(exercises.front().problem);
}

ChosenInput Bench::choose(const std::string& input) const {
  return choose_input(reference().problem(), variants.front(), input, length, length, seed);
}

workbook::Tree Bench::tree_of(const workbook::ExerciseInfo& exercise) const {
  return exercise.is_variant() ? workbook::Tree::solution : tree;
}

measure::Record Bench::asked(const std::string& input, const std::string& variant,
                             const workbook::ExerciseInfo& exercise) const {
  return {.kind = sweep              ? "sweep"
                  : options.variants ? "variants"
                                     : "bench",
          .tree = std::string(name_of(tree_of(exercise))),
          .seed = seed,
          .exercise = exercise,
          .backend = backend,
          .variant = variant,
          .input = input,
          .length = length,
          .warm_cache = options.warm};
}

std::optional<EstimateRow> Bench::estimate(measure::Record& record, std::uint64_t elements,
                                           const InputMaker& input, const runner::RunOptions& launch) const {
  if (!device || record.is_peer()) return std::nullopt;
  return estimate_into(record, *device,
                       question_about(record, tree_of(record.exercise), elements, input, launch));
}

void BenchEstimates::add(measure::Record& record) {
  const auto make = [this](std::uint64_t length) {
    return choose_input(bench_.reference().problem(), variant_, input_, length, length, bench_.seed).input;
  };
  if (auto row = bench_.estimate(record, bench_.estimated_length, make)) rows_.push_back(std::move(*row));
}

void BenchEstimates::print() const {
  if (rows_.empty()) return;
  const std::string of = input_text(bench_.reference().problem(), bench_.estimated_length, input_, variant_);
  say("\n{}", estimates_text({*bench_.device, "", of, rows_}, report::Terminal::of_output()));
}

void Bench::add(measure::Record record) {
  const bool is_to_come = record.finding.verdict == facts::Verdict::not_started && options.lab.empty();
  if (!is_to_come) exit_code = std::max(exit_code, exit_code_of(record.finding));
  records.push_back(std::move(record));
}

int Bench::finish(const std::string& text) const {
  fmt::print("{}", options.json ? runs_json(workbook::here(), records) + "\n" : text);
  return exit_code;
}

void add_bench(CommandLine& line) {
  auto [verb, options] = line.add<BenchOptions>(
      "bench", "all labs against each other, CUB and the limit of reading; sweeps", bench);
  verb.add_option("LAB", options.lab,
                  "with --sweep or --variants: the lab that is measured; without it, all; an extra lab has a "
                  "ladder of its own");
  verb.add_flag("--variants", options.variants,
                "the variants of the solutions beside these: of LAB, or of all labs");
  verb.add_option("--sweep", options.sweep, join(names_of(measure::sweep_kinds()), " or "));
  verb.add_option("--input", options.input, "a named input, a file, or all")
      ->default_str(problems::reference_of(problems_in_use().front()->name()).ladder_inputs().front());
  options.variant.add_options(verb, true);
  add_length_option(verb, options.length, length_words() + "; without it 1G on a GPU, 1M on the simulator");
  add_seed_option(verb, options.seed);
  add_on_option(verb, options.on);
  verb.add_flag(
      "--warm", options.warm,
      "leave in the GPU's L2 cache what the run before has brought there; without it, the cache is cold");
  verb.add_flag("--own", options.own, "the student's own labs instead of the solutions");
  verb.add_flag("--json", options.json, json_words);
}

}  // namespace cli
