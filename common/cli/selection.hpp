// SPDX-License-Identifier: MIT
// Resolves the words of the command line: exercises, backends, trees, inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problems/problem.hpp"
#include "workbook/workbook.hpp"

namespace cli {

// The exercises that LAB names. Throws UsageError with the accepted names.
std::vector<workbook::ExerciseInfo> find_exercises(const std::string& name);

// The only exercise that LAB names. Throws UsageError if it names several.
workbook::ExerciseInfo find_exercise(const std::string& name);

// The last exercise of the lab before; nullopt if that launches no kernel.
std::optional<workbook::ExerciseInfo> exercise_before(const workbook::ExerciseInfo& exercise);

// The one exercise that LAB means, in the tree that --solution chooses and on the backend that --on chooses.
// Throws UsageError or MachineError.
workbook::Target choose_target(const std::string& lab, const std::string& on, bool solution);

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

// The student's tree or the solutions. Throws MachineError if solutions are asked for and there are none.
workbook::Tree choose_tree(bool solution);

// Throws UsageError, with the accepted names.
void require_variant(const problems::Problem& problem, const std::string& name);

struct ChosenInput {
  std::string name;
  std::unique_ptr<problems::Input> input;
};

// A named input or a file, cut or repeated to `length`; without one, a file is taken whole and a named input
// has `default_length` (the phrase its own). Throws UsageError for a name that is neither,
// problems::InputError for a file that cannot be read.
ChosenInput choose_input(const problems::Problem& problem, const std::string& variant,
                         const std::string& name, std::optional<std::uint64_t> length,
                         std::uint64_t default_length, std::uint64_t seed);

// How long an input is where the user does not say: what a backend counts in a moment.
std::uint64_t default_length(facts::Backend backend);

// A new seed, different every time.
std::uint64_t fresh_seed();

// "a, b, c", or with another word before the last "a, b or c".
std::string join(const std::vector<std::string>& words, const std::string& before_last = ", ");

// "lab 04", "labs 05 and 06": the labs with an exercise for which `holds` is true.
std::string labs_where(const std::function<bool(const workbook::ExerciseInfo&)>& holds);

// An exercise for examples in help texts: alone in its lab, if there is one. Precondition: there are
// exercises.
const workbook::ExerciseInfo& example_exercise();

// "04, 4, shared, 05/interleaved ...": ways to name an exercise.
std::string lab_words();

}  // namespace cli
