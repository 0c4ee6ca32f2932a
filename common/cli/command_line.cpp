// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "facts/errors.hpp"
#include "measure/gpu_device.hpp"
#include "problems/problem.hpp"

namespace cli {

CLI::Validator whole_number(bool unit) {
  return {[unit](std::string& text) -> std::string {
            const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
            if (digits == 0 || (digits < text.size() && !unit))
              return fmt::format("\"{}\" is not a whole number", text);
            const std::size_t zeros = std::min(text.find_first_not_of('0'), digits - 1);
            constexpr std::size_t most_digits = 19;  // fewer than those of 2^64
            if (digits - zeros > most_digits) return fmt::format("{} is too large", text);
            text.erase(0, zeros);
            return {};
          },
          ""};
}

void add_length_option(CLI::App& verb, std::optional<std::uint64_t>& length, const std::string& words) {
  verb.add_option("--length", length, words)
      ->transform(CLI::AsSizeValue(false))
      ->transform(whole_number(true));
}

void add_seed_option(CLI::App& verb, std::optional<std::uint64_t>& seed, const std::string& words) {
  verb.add_option("--seed", seed, words)->transform(whole_number());
}

const problems::Problem& problem_of(const workbook::ExerciseInfo& exercise) {
  return *problems::find_problem(exercise.problem);
}

std::vector<const problems::Problem*> problems_in_use() {
  std::vector<const problems::Problem*> all;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    const problems::Problem* const problem = &problem_of(exercise);
    if (std::ranges::count(all, problem) == 0) all.push_back(problem);
  }
  if (all.empty()) all.push_back(problems::problems().front());
  return all;
}

void VariantChoice::add_options(CLI::App& verb, bool or_all) {
  for (const problems::Problem* const problem : problems_in_use()) {
    std::vector<std::string> names = names_of(problem->variants());
    OfProblem& choice = all_.emplace_back(OfProblem{problem, names.front(), nullptr});
    if (or_all) names.emplace_back("or all");
    choice.option = verb.add_option(fmt::format("--{}", problem->variant_option()), choice.name,
                                    join(names, or_all ? ", " : " or "))
                        ->capture_default_str();
  }
}

std::string VariantChoice::any_of(const problems::Problem& problem, const std::string& input,
                                  bool alone) const {
  std::string chosen(problem.usual_variant(input));
  for (const OfProblem& choice : all_) {
    if (choice.problem == &problem) {
      if (choice.option->count() > 0) chosen = choice.name;
    } else if (alone && choice.option->count() > 0) {
      throw facts::UsageError(fmt::format(
          "--{} is for {}; here it is --{}", choice.problem->variant_option(),
          labs_where([&](const auto& exercise) { return exercise.problem == choice.problem->name(); }),
          problem.variant_option()));
    }
  }
  return chosen;
}

std::string VariantChoice::of(const problems::Problem& problem, const std::string& input, bool alone) const {
  std::string chosen = any_of(problem, input, alone);
  require_variant(problem, chosen);
  return chosen;
}

void add_input_option(CLI::App& verb, std::string& input) {
  std::string words;
  for (const problems::Problem* const problem : problems_in_use()) {
    if (!words.empty()) {
      words += fmt::format(
          "; {}: ", labs_where([&](const auto& exercise) { return exercise.problem == problem->name(); }));
    }
    std::vector<std::string> names = names_of(problem->inputs());
    names.emplace_back("or a file");
    words += join(names);
  }
  verb.add_option("--input", input, words)
      ->default_str(std::string(problems_in_use().front()->usual_input()));
}

void add_launch_options(CLI::App& verb, LaunchOptions& options) {
  verb.add_option("LAB", options.lab, lab_words())->required();
  add_input_option(verb, options.input);
  add_length_option(verb, options.length, length_words());
  options.variant.add_options(verb);
  verb.add_option("--block", options.block, "threads per block; the grid covers as many threads as before")
      ->transform(whole_number());
  verb.add_option("--grid", options.grid, "blocks in the grid")->transform(whole_number());
  add_on_option(verb, options.on);
  add_seed_option(verb, options.seed);
  verb.add_flag("--solution", options.solution, "the reference solution");
  verb.add_flag("--json", options.json, json_words);
}

namespace {

const workbook::Workbook& here() { return workbook::here(); }

// True for a file behind a folder that may not be entered too: opening it will say so.
bool exists(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 || errno == EACCES;
}

// As a user names them, the GPU first.
std::vector<std::string> launching_backends() {
  std::vector<std::string> names;
  for (const facts::BackendTraits& traits : facts::backend_table) {
    if (traits.launches) names.insert(names.begin(), std::string(traits.name));
  }
  return names;
}

}  // namespace

void add_on_option(CLI::App& verb, std::string& on, const char* without) {
  verb.add_option("--on", on, join(launching_backends(), " or ") + "; without it, " + without);
}

namespace {

std::vector<workbook::ExerciseInfo> require_found(std::vector<workbook::ExerciseInfo> found,
                                                  const std::string& name) {
  if (!found.empty()) return found;
  std::vector<std::string> names;
  for (const workbook::ExerciseInfo& exercise : here().exercises) {
    names.push_back(fmt::format("{} ({})", here().short_name(exercise), exercise.lab));
  }
  throw facts::UsageError(
      fmt::format("\"{}\" does not name exactly one lab; the labs are: {}", name, join(names)));
}

workbook::ExerciseInfo require_one(const std::vector<workbook::ExerciseInfo>& found,
                                   const std::string& name) {
  if (found.size() == 1) return found.front();
  std::vector<std::string> names;
  for (const workbook::ExerciseInfo& exercise : found) names.push_back(here().short_name(exercise));
  throw facts::UsageError(fmt::format("lab {} has several exercises; say which: {}", name, join(names)));
}

}  // namespace

std::vector<workbook::ExerciseInfo> find_exercises(const std::string& name) {
  return require_found(here().find(name), name);
}

std::vector<workbook::ExerciseInfo> find_versions(const std::string& name) {
  std::vector<workbook::ExerciseInfo> found = here().find_with_variants(name);
  const std::size_t slash = name.find('/');
  if (!found.empty() || slash == name.npos || name.find('-', slash) == name.npos)
    return require_found(std::move(found), name);
  std::vector<std::string> names;
  for (const workbook::ExerciseInfo& exercise : here().find(name.substr(0, slash))) {
    for (const workbook::ExerciseInfo& variant : here().variants_of(exercise))
      names.push_back(here().short_name(variant));
  }
  if (names.empty()) return require_found(std::move(found), name);
  throw facts::UsageError(fmt::format("no variant is called \"{}\"; this lab has: {}", name, join(names)));
}

workbook::ExerciseInfo find_exercise(const std::string& name) {
  return require_one(find_exercises(name), name);
}

workbook::ExerciseInfo find_version(const std::string& name) {
  return require_one(find_versions(name), name);
}

std::optional<workbook::ExerciseInfo> exercise_before(const workbook::ExerciseInfo& exercise) {
  std::optional<workbook::ExerciseInfo> before, beside;
  for (const workbook::ExerciseInfo& other : here().exercises) {
    if (exercise.is_variant() && other.lab == exercise.lab && other.name == exercise.exercise_name())
      return other;
    if (other.is_same(exercise)) break;
    if (other.problem != exercise.problem) continue;
    (other.lab == exercise.lab ? beside : before) = other;
  }
  // A problem with one lab goes from exercise to exercise.
  if (!before) before = beside;
  if (before && !before->launched) before.reset();
  return before;
}

std::vector<facts::Backend> present_backends() {
  std::vector<facts::Backend> backends;
  for (const facts::BackendTraits& traits : facts::backend_table) {
    if (!traits.launches || !here().has(traits.backend)) continue;
    if (!traits.accelerator || measure::gpu_device(here()).works) backends.push_back(traits.backend);
  }
  return backends;
}

void require_backend_name(const std::string& on) {
  const auto backend = facts::find_backend(on);
  if (on.empty() || (backend && traits_of(*backend).launches)) return;
  throw facts::UsageError(
      fmt::format("--on {}: no such backend; the backends are: {}", on, join(launching_backends())));
}

facts::Backend choose_backend(const std::string& on, const workbook::ExerciseInfo& exercise) {
  require_backend_name(on);
  if (!exercise.launched) return facts::without_kernels;
  if (const auto named = facts::find_backend(on)) return *named;
  const std::vector<facts::Backend> present = present_backends();
  return present.empty() ? facts::simulator : present.back();
}

workbook::Tree choose_tree(bool solution) {
  if (!solution) return workbook::Tree::student;
  if (!here().has_solutions) throw facts::MachineError("this tree has no solutions/");
  return workbook::Tree::solution;
}

workbook::Tree choose_tree(bool solution, const workbook::ExerciseInfo& exercise) {
  return choose_tree(solution || exercise.is_variant());
}

std::vector<workbook::Target> judged_targets(const workbook::ExerciseInfo& exercise, const std::string& on,
                                             bool solution) {
  const workbook::Tree tree = choose_tree(solution, exercise);
  std::vector<facts::Backend> backends = present_backends();
  if (!on.empty() || !exercise.launched || backends.empty()) backends = {choose_backend(on, exercise)};
  std::vector<workbook::Target> targets;
  for (const facts::Backend backend : backends) targets.push_back(here().target(exercise, tree, backend));
  return targets;
}

void require_variant(const problems::Problem& problem, const std::string& name) {
  if (problem.find_variant(name)) return;
  const std::string_view option = problem.variant_option();
  throw facts::UsageError(fmt::format("no {} is called \"{}\"; the {}s are: {}", option, name, option,
                                      join(names_of(problem.variants()))));
}

ChosenInput choose_input(const problems::Problem& problem, const std::string& variant,
                         const std::string& named, std::optional<std::uint64_t> length,
                         std::uint64_t default_bytes, std::uint64_t seed) {
  const std::string name = named.empty() ? std::string(problem.usual_input()) : named;
  const std::size_t element_bytes = problem.find_variant(variant)->element_bytes;
  if (problem.has_input(name)) {
    const std::uint64_t usual = problem.natural_length(name).value_or(default_bytes / element_bytes);
    return {name, problem.make_input(name, variant, length.value_or(usual), seed), length.value_or(usual)};
  }
  if (!exists(name)) {
    throw facts::UsageError(
        fmt::format("input \"{}\" is neither a file nor one of: {}", name, join(names_of(problem.inputs()))));
  }
  auto file = problems::open_file(name);
  const std::uint64_t of_file = file->length() / element_bytes, wanted = length.value_or(of_file);
  if (wanted == of_file) return {name, std::move(file), wanted};
  if (file->length() == 0) throw facts::UsageError(fmt::format("{} is empty and cannot be repeated", name));
  return {name, problems::repeat(std::move(file), wanted * element_bytes), wanted};
}

std::uint64_t default_length(facts::Backend backend) { return traits_of(backend).default_length; }

std::uint64_t fresh_seed() {
  std::random_device device;
  // Short enough to be typed again.
  return device() % 1'000'000'000;
}

std::string join(const std::vector<std::string>& words, const std::string& before_last) {
  std::string result;
  for (std::size_t i = 0; i < words.size(); ++i)
    result += (i == 0 ? "" : i + 1 < words.size() ? ", " : before_last) + words[i];
  return result;
}

const workbook::ExerciseInfo& first_launched(const problems::Problem& problem) {
  return *std::ranges::find_if(here().exercises, [&](const workbook::ExerciseInfo& exercise) {
    return exercise.launched && exercise.problem == problem.name();
  });
}

std::string labs_where(const std::function<bool(const workbook::ExerciseInfo&)>& holds) {
  std::vector<std::string> labs;
  for (const workbook::ExerciseInfo& exercise : here().exercises) {
    const std::string lab = exercise.short_name(true);
    if (holds(exercise) && (labs.empty() || labs.back() != lab)) labs.push_back(lab);
  }
  return fmt::format("{} {}", labs.size() == 1 ? "lab" : "labs", join(labs, " and "));
}

const workbook::ExerciseInfo& example_exercise() {
  const auto& exercises = here().exercises;
  const auto shared = std::find_if(exercises.begin(), exercises.end(),
                                   [](const auto& exercise) { return !here().is_only_one(exercise); });
  return shared == exercises.begin() ? *shared : *(shared - 1);
}

std::string length_words() {
  std::vector<std::string> words;
  for (const problems::Problem* const problem : problems_in_use()) words.emplace_back(problem->elements());
  return join(words, " or ") + "; 4M is 4 x 2^20";
}

std::string lab_words() {
  if (here().exercises.empty()) return {};
  const workbook::ExerciseInfo& example = example_exercise();
  const std::string number = example.short_name(true);
  const std::string topic = example.lab.substr(std::min(number.size() + 1, example.lab.size()));
  std::vector<std::string> words{number,
                                 number.substr(std::min(number.find_first_not_of('0'), number.size())),
                                 topic.substr(0, topic.find('_'))};
  const workbook::ExerciseInfo* of_several = nullptr;
  for (const workbook::ExerciseInfo& exercise : here().exercises) {
    if (of_several && exercise.lab != of_several->lab) break;
    if (!here().is_only_one(exercise)) of_several = &exercise;
  }
  if (of_several) words.push_back(here().short_name(*of_several));
  return join(words) + " ...";
}

}  // namespace cli
