// SPDX-License-Identifier: MIT
// The parts of `lab bench`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "measure/ladder.hpp"
#include "measure/sweep.hpp"
#include "workbook/workbook.hpp"

namespace cli {

struct BenchOptions {
  std::string lab, on, input = "letters", binning = usual_variant(), sweep;
  std::optional<std::uint64_t> length, seed;
  bool own = false, json = false;
};

// What a bench goes through, from its options.
struct BenchPlan {
  std::vector<workbook::ExerciseInfo> exercises;  // of a sweep, or of the ladder on the simulator
  std::vector<std::string> binnings, inputs;
  workbook::Tree tree;
  facts::Backend backend;
  std::uint64_t length, seed;
};

// Each returns the program's exit code.
int bench_ladder(const BenchOptions& options, const BenchPlan& plan);
int bench_counters(const BenchOptions& options, const BenchPlan& plan);  // the ladder on the simulator
int bench_sweep(const BenchOptions& options, const BenchPlan& plan, measure::SweepKind kind);

}  // namespace cli
