// SPDX-License-Identifier: MIT
// Every solution is right, and nothing at all is said of it, on any input in blocks of any size: each runner
// of the simulator, over all named inputs, each of them with every length around a warp and beyond in blocks
// of every size from 1 to 1024 threads. Binnings, grids and alignments turn round.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>

#include "judge/case.hpp"
#include "judge/check.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/histogram_reference.hpp"
#include "problems/histogram/problem.hpp"

namespace {

constexpr std::array<std::uint64_t, 7> lengths{0, 1, 31, 32, 33, 1000, 4097};
constexpr std::array<unsigned, 9> blocks{1, 31, 32, 33, 64, 100, 256, 1000, 1024};

// Grids of a kernel whose threads go on until the input ends: its own, one block, few, more than there are
// bytes.
constexpr std::array<std::optional<unsigned>, 4> any_grid{std::nullopt, 1, 7, 40};

bool takes_any_grid(const workbook::ExerciseInfo& exercise) {
  return std::find(exercise.sweeps.begin(), exercise.sweeps.end(), "grid") != exercise.sweeps.end();
}

struct Shapes {
  const workbook::ExerciseInfo& exercise;
  judge::RunnerSettings settings;
  judge::RunnerSession session{settings};
  unsigned runs = 0;

  explicit Shapes(const workbook::ExerciseInfo& what)
      : exercise(what),
        settings(judge::runner_settings(
            workbook::here().runner(what, workbook::Tree::solution, facts::Backend::sim),
            facts::Backend::sim)) {}

  void check(const std::string& input_name, const histogram::BinningInfo& binning, std::uint64_t length,
             unsigned block, std::optional<unsigned> grid) {
    const auto input = histogram::make_input(input_name, length, 1);
    session.input().write(*input);
    const runner::RunRequest request{.variant = std::string(binning.name),
                                     .length = length,
                                     .misalignment = runs++ % 16,
                                     .options = {.block = block, .grid = grid}};
    const problems::Reference& reference = histogram::reference();
    const judge::CaseResult run = judged_run(session, settings.program, reference, request,
                                             reference.expected(binning.name, *input, 0, length));
    if (run.answer && run.findings.empty() && run.answer->notes.empty()) return;
    const std::string what = exercise.lab + " " + exercise.name + ", " + std::to_string(length) +
                             " bytes of " + input_name + ", binning " + std::string(binning.name) +
                             ", blocks of " + std::to_string(block) + ", grid " +
                             (grid ? std::to_string(*grid) : "its own") + ", " +
                             std::to_string(request.misalignment) + " past an aligned address";
    FAIL_CHECK(what << ": "
                    << (!run.findings.empty() ? run.findings.front().message
                        : run.answer          ? run.answer->notes.front().message
                                              : "no answer"));
  }

  // Over the lengths, an input in blocks of one size meets every binning and every grid.
  void check_all() {
    const auto inputs = histogram::named_inputs();
    for (std::size_t input = 0; input < inputs.size(); ++input) {
      for (std::size_t block = 0; block < blocks.size(); ++block) {
        for (std::size_t length = 0; length < lengths.size(); ++length) {
          const auto grid =
              takes_any_grid(exercise) ? any_grid[(block + length) % any_grid.size()] : std::nullopt;
          const histogram::BinningInfo& binning =
              histogram::binnings()[(input + block + length) % histogram::binnings().size()];
          check(std::string(inputs[input].name), binning, lengths[length], blocks[block], grid);
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("every solution is clean for any input and any block") {
  for (const workbook::ExerciseInfo& exercise : workbook::here().exercises) {
    if (!exercise.launched || exercise.problem != histogram::problem().name()) continue;
    CAPTURE(exercise.lab);
    Shapes shapes(exercise);
    REQUIRE_FALSE(judge::start_session(shapes.session));
    shapes.check_all();
    CHECK(shapes.runs == histogram::named_inputs().size() * lengths.size() * blocks.size());
  }
}
