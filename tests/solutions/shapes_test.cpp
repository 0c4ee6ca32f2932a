// SPDX-License-Identifier: MIT
// Every solution of every problem is right, and nothing at all is said of it, on any input in blocks of any
// size: each runner of the simulator, over all inputs that its problem names, each of them with every length
// around a warp and beyond in blocks of every size from 1 to 1024 threads. Variants, grids and alignments
// turn round.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

#include "judge/case.hpp"
#include "judge/check.hpp"
#include "problems/reference.hpp"

namespace {

constexpr std::array<std::uint64_t, 7> lengths{0, 1, 31, 32, 33, 1000, 4097};
constexpr std::array<unsigned, 9> blocks{1, 31, 32, 33, 64, 100, 256, 1000, 1024};

// Grids of a kernel whose threads go on until the input ends: its own, one block, few, more than some inputs
// have elements.
constexpr std::array<std::optional<unsigned>, 4> any_grid{std::nullopt, 1, 7, 40};

bool takes_any_grid(const workbook::ExerciseInfo& exercise) {
  return std::find(exercise.sweeps.begin(), exercise.sweeps.end(), "grid") != exercise.sweeps.end();
}

struct Shapes {
  const workbook::ExerciseInfo& exercise;
  const problems::Reference& reference;
  judge::RunnerSettings settings;
  judge::RunnerSession session{settings};
  unsigned runs = 0;

  explicit Shapes(const workbook::ExerciseInfo& what)
      : exercise(what),
        reference(problems::reference_of(what.problem)),
        settings(judge::runner_settings(
            workbook::here().runner(what, workbook::Tree::solution, facts::Backend::sim),
            facts::Backend::sim)) {}

  void check(std::string_view input_name, std::string_view variant, std::uint64_t length, unsigned block,
             std::optional<unsigned> grid) {
    const problems::Problem& problem = reference.problem();
    const auto input = problem.make_input(input_name, variant, length, 1);
    session.input().write(*input);
    const runner::RunRequest request{.variant = std::string(variant),
                                     .length = length,
                                     .misalignment = runs++ % 16,
                                     .options = {.block = block, .grid = grid}};
    const judge::CaseResult run = judged_run(session, settings.program, reference, request,
                                             reference.expected(variant, *input, 0, length));
    if (run.answer && run.findings.empty() && run.answer->notes.empty()) return;
    const std::string what = exercise.lab + " " + exercise.name + ", " + std::to_string(length) + " " +
                             std::string(problem.elements()) + " of " + std::string(input_name) + ", " +
                             std::string(problem.variant_option()) + " " + std::string(variant) +
                             ", blocks of " + std::to_string(block) + ", grid " +
                             (grid ? std::to_string(*grid) : "its own") + ", " +
                             std::to_string(request.misalignment) + " past an aligned address";
    FAIL_CHECK(what << ": "
                    << (!run.findings.empty() ? run.findings.front().message
                        : run.answer          ? run.answer->notes.front().message
                                              : "no answer"));
  }

  // Over the lengths, an input in blocks of one size meets many variants and every grid.
  void check_all() {
    const auto inputs = reference.problem().inputs();
    const auto variants = reference.problem().variants();
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      for (std::size_t block = 0; block < blocks.size(); ++block) {
        for (std::size_t length = 0; length < lengths.size(); ++length) {
          const auto grid =
              takes_any_grid(exercise) ? any_grid[(block + length) % any_grid.size()] : std::nullopt;
          const problems::Variant& variant = variants[(input + block + length) % variants.size()];
          check(inputs[input].name, variant.name, lengths[length], blocks[block], grid);
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("every solution is clean for any input and any block") {
  std::set<std::string_view> judged;
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (!exercise.launched) continue;
    CAPTURE(exercise.lab);
    CAPTURE(exercise.name);
    Shapes shapes(exercise);
    REQUIRE_FALSE(judge::start_session(shapes.session));
    shapes.check_all();
    CHECK(shapes.runs == shapes.reference.problem().inputs().size() * lengths.size() * blocks.size());
    judged.insert(exercise.problem);
  }
  // No problem that a lab is about is left out.
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises)
    CHECK(judged.count(exercise.problem) == 1);
}
