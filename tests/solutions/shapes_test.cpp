// SPDX-License-Identifier: MIT
// Every solution is right, and nothing at all is said of it, on any input in blocks of any size: each runner of the
// simulator, over all named inputs, lengths around a warp and beyond, and blocks from 1 to 1024 threads, at addresses of
// every alignment. Each shape meets two inputs, which turn round, so that every input meets every length and every block.
#include <doctest/doctest.h>

#include <array>
#include <map>

#include "histogram/input.hpp"
#include "judge/case.hpp"
#include "judge/check.hpp"

namespace {

constexpr std::array<std::uint64_t, 7> lengths{0, 1, 31, 32, 33, 1000, 4097};
constexpr std::array<unsigned, 9> blocks{1, 31, 32, 33, 64, 100, 256, 1000, 1024};

// Grids of a kernel whose threads go on until the input ends: its own, one block, few, more than there are bytes.
constexpr std::array<std::optional<unsigned>, 4> any_grid{std::nullopt, 1, 7, 40};

bool takes_any_grid(const judge::ExerciseInfo& exercise) { return exercise.lab == "05_coarsening" || exercise.lab == "06_aggregation"; }

struct Shapes {
  const judge::ExerciseInfo& exercise;
  judge::RunnerSettings settings;
  judge::RunnerSession session{settings};
  unsigned turn = 0, runs = 0;

  explicit Shapes(const judge::ExerciseInfo& what)
      : exercise(what),
        settings(judge::runner_settings(judge::workbook().runner(what, judge::Tree::solution, judge::Backend::sim), judge::Backend::sim)) {}

  void check(const std::string& input_name, const histogram::BinningInfo& binning, std::uint64_t length, unsigned block,
             std::optional<unsigned> grid) {
    const auto input = histogram::make_input(input_name, length, 1);
    session.input().write(*input);
    exercise::RunRequest request;
    request.binning = binning.name;
    request.length = length;
    request.misalignment = turn % 16;
    request.block = block;
    request.grid = grid;
    const judge::JudgedRun run = judged_run(session, settings.program, request, judge::expected_bins(*input, binning, 0, length));
    ++runs;
    if (run.answer && run.findings.empty()) return;
    const std::string what = exercise.lab + " " + exercise.name + ", " + std::to_string(length) + " bytes of " + input_name + ", binning " +
                             std::string(binning.name) + ", blocks of " + std::to_string(block) + ", grid " +
                             (grid ? std::to_string(*grid) : "its own") + ", " + std::to_string(request.misalignment) + " past an aligned address";
    FAIL_CHECK(what << ": " << (run.findings.empty() ? "no answer" : run.findings.front().message));
  }

  void check_all() {
    for (const histogram::BinningInfo& binning : histogram::binnings()) {
      for (const std::uint64_t length : lengths) {
        for (const unsigned block : blocks) {
          for (unsigned repeat = 0; repeat < 2; ++repeat) {
            const auto inputs = histogram::named_inputs();
            // Moves on by one more with each length, or else an input would meet the same blocks again and again.
            const std::string input(inputs[(turn / 2 + turn / 18 + 4 * repeat) % inputs.size()].name);
            check(input, binning, length, block, takes_any_grid(exercise) ? any_grid[turn % any_grid.size()] : std::nullopt);
            ++turn;
          }
        }
      }
    }
  }
};

}  // namespace

TEST_CASE("every solution is clean for any input and any block") {
  for (const judge::ExerciseInfo& exercise : judge::workbook().exercises) {
    if (!exercise.launched) continue;
    CAPTURE(exercise.lab);
    Shapes shapes(exercise);
    REQUIRE_FALSE(judge::start_session(shapes.session));
    shapes.check_all();
    CHECK(shapes.runs == 2 * histogram::binnings().size() * lengths.size() * blocks.size());
  }
}
