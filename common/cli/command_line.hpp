// SPDX-License-Identifier: MIT
// The `lab` command line: its exit codes, its verbs, options that several verbs have, and what the words of
// the options mean. A verb is a file in verbs/ that holds its options, their words for --help, and a function
// of the options that returns the exit code or throws UsageError or MachineError (facts/errors.hpp). Its
// add_NAME puts it on the command line. meson.build lists the verbs in the order of `lab --help` and needs a
// word for a new one.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problems/problem.hpp"
#include "workbook/workbook.hpp"

namespace cli {

struct ExitCode {
  static constexpr int fine = 0;
  static constexpr int not_passed = 1;  // a verdict other than pass
  static constexpr int usage = 2;       // wrong usage
  static constexpr int machine = 3;     // the machine lacks something
};

constexpr const char* json_words = "one JSON document";

// Accepts digits, in base 10; where `unit` is true, something may follow them that another validator
// understands. CLI11 alone takes -1 for 2^64 - 1, clips what is too large, and reads 010 as 8 and "" as an
// option that was not given.
CLI::Validator whole_number(bool unit = false);

// The problem of an exercise.
const problems::Problem& problem_of(const workbook::ExerciseInfo& exercise);

// The problems that the workbook has exercises for, the course's first.
std::vector<const problems::Problem*> problems_in_use();

// Which variant is meant. Each problem has an option of its own for it, which is called as the problem says.
class VariantChoice {
 public:
  // `or_all`: the words for --help offer "all" too. To be called once, before the command line is parsed.
  void add_options(CLI::App& verb, bool or_all = false);

  // The variant that was chosen for this problem, or the usual one for the input. Throws UsageError where the
  // option of another problem was given, or there is no such variant.
  // `alone`: no other problem is meant too.
  std::string of(const problems::Problem& problem, const std::string& input, bool alone = true) const;
  // The same, but it may be any word.
  std::string any_of(const problems::Problem& problem, const std::string& input, bool alone = true) const;

 private:
  struct OfProblem {
    const problems::Problem* problem;
    std::string name;
    const CLI::Option* option;
  };
  std::list<OfProblem> all_;
};

// The option that chooses the input. It stays empty where the user names none.
void add_input_option(CLI::App& verb, std::string& input);

// Options that several verbs have.
void add_length_option(CLI::App& verb, std::optional<std::uint64_t>& length, const std::string& words);
void add_seed_option(CLI::App& verb, std::optional<std::uint64_t>& seed,
                     const std::string& words = "of a random input; without it, 1");
void add_on_option(CLI::App& verb, std::string& on, const char* without = "the GPU where one works");

// Which kernel is run on which input: the options of every verb that runs one launch.
struct LaunchOptions {
  std::string lab, on;
  std::string input;  // empty: the problem's usual one
  VariantChoice variant;
  std::optional<std::uint64_t> length, block, grid, seed;
  bool solution = false, json = false;
};
void add_launch_options(CLI::App& verb, LaunchOptions& options);

class CommandLine {
 public:
  // `arguments`: of the program, as main() gets them.
  CommandLine(CLI::App& app, char** arguments) : app_(app), arguments_(arguments) {}

  // Sets what `lab` does without a verb.
  void set_without_verb(int (*function)()) { chosen_ = function; }

  // Adds a verb to `lab --help`. Returns it, and its options as they are before the command line is parsed.
  // If the verb is chosen, run() calls `function` with the options.
  template <class Options>
  std::pair<CLI::App&, Options&> add(const std::string& name, const std::string& help,
                                     int (*function)(const Options&)) {
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app_.add_subcommand(name, help);
    verb.callback([this, options, function] { chosen_ = [=] { return function(*options); }; });
    return {verb, *options};
  }

  char** arguments() const { return arguments_; }

  // Runs the chosen verb and returns the program's exit code.
  int run() const { return chosen_(); }

 private:
  CLI::App& app_;
  char** arguments_;
  std::function<int()> chosen_;
};

// The exercises that LAB names. Throws UsageError with the accepted names.
std::vector<workbook::ExerciseInfo> find_exercises(const std::string& name);

// The only exercise that LAB names. Throws UsageError if it names several.
workbook::ExerciseInfo find_exercise(const std::string& name);

// The same, and the variants of the solutions, such as "05/contiguous-c4" (Workbook::find_with_variants).
std::vector<workbook::ExerciseInfo> find_versions(const std::string& name);
workbook::ExerciseInfo find_version(const std::string& name);

// The last exercise of the lab before that has the same problem, or where there is no such lab the exercise
// before; of a variant, the exercise that it is a variant of. nullopt if that launches no kernel.
std::optional<workbook::ExerciseInfo> exercise_before(const workbook::ExerciseInfo& exercise);

// The same exercise on each backend on which it is to be judged: that of --on or, without it, all present
// ones.
std::vector<workbook::Target> judged_targets(const workbook::ExerciseInfo& exercise, const std::string& on,
                                             bool solution);

// The backends on which something can run here, the simulator first.
std::vector<facts::Backend> present_backends();

// The backend for --on; if it is empty, the GPU if one works. Exercises that launch no kernel run on the CPU.
// Throws UsageError.
facts::Backend choose_backend(const std::string& on, const workbook::ExerciseInfo& exercise);

// Throws UsageError unless `on` is "" or a backend that launches kernels.
void require_backend_name(const std::string& on);

// The student's tree or the solutions, among which all variants are. Throws MachineError if solutions are
// asked for and there are none.
workbook::Tree choose_tree(bool solution);
workbook::Tree choose_tree(bool solution, const workbook::ExerciseInfo& exercise);

// Throws UsageError, with the accepted names.
void require_variant(const problems::Problem& problem, const std::string& name);

struct ChosenInput {
  std::string name;
  std::unique_ptr<problems::Input> input;
  std::uint64_t length;  // in elements
};

// A named input or a file (where `name` is empty the problem's usual input), cut or repeated to `length`
// elements; without one, a file is taken whole and a
// named input has `default_bytes` (the phrase its own). Throws UsageError for a name that is neither,
// problems::InputError for a file that cannot be read.
ChosenInput choose_input(const problems::Problem& problem, const std::string& variant,
                         const std::string& name, std::optional<std::uint64_t> length,
                         std::uint64_t default_bytes, std::uint64_t seed);

// How many bytes an input has where the user does not say: what a backend counts in a moment.
std::uint64_t default_length(facts::Backend backend);

// A new seed, different every time.
std::uint64_t fresh_seed();

// "a, b, c", or with another word before the last "a, b or c".
std::string join(const std::vector<std::string>& words, const std::string& before_last = ", ");

// The names of what has one: variants, inputs, backends, sweeps.
std::vector<std::string> names_of(const auto& named) {
  std::vector<std::string> names;
  for (const auto& one : named) names.emplace_back(one.name);
  return names;
}

// The first exercise with a kernel for the problem. Precondition: there is one.
const workbook::ExerciseInfo& first_launched(const problems::Problem& problem = *problems_in_use().front());

// "lab 04", "labs 05 and 06": the labs with an exercise for which `holds` is true.
std::string labs_where(const std::function<bool(const workbook::ExerciseInfo&)>& holds);

// An exercise for examples in help texts: alone in its lab, if there is one. Precondition: there are
// exercises.
const workbook::ExerciseInfo& example_exercise();

// What a length counts: "bytes; 4M is 4 x 2^20".
std::string length_words();

// "04, 4, shared, 05/interleaved ...": ways to name an exercise.
std::string lab_words();

}  // namespace cli
