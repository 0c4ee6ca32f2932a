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
  std::string lab, on, input = "letters", variant = usual_variant(), sweep;
  std::optional<std::uint64_t> length, seed;
  bool own = false, json = false;
};

// The runs of a bench, from its options.
struct BenchPlan {
  std::vector<workbook::ExerciseInfo> exercises;  // of a sweep, or of the ladder on the simulator
  std::vector<std::string> variants, inputs;
  workbook::Tree tree;
  facts::Backend backend;
  std::uint64_t length, seed;

  // The beginning of every record.
  ChosenInput choose(const std::string& input) const;
  measure::Record asked(const std::string& kind, const std::string& input, const std::string& variant) const;
};

// Each returns the program's exit code.
int bench_ladder(const BenchOptions& options, const BenchPlan& plan);
int bench_counters(const BenchOptions& options, const BenchPlan& plan);  // the ladder on the simulator
int bench_sweep(const BenchOptions& options, const BenchPlan& plan, const measure::SweepKind& kind);

// Times, shares of the limit, speed-up over the first lab on the CPU and over the lab before.
void print_ladder(const measure::Ladder& ladder);

// The newest ladder of this input and variant among the records kept with the documents, for whoever has no
// GPU, under a line that says whose it is and when it was measured. Prints nothing if there is none.
void print_recorded_ladder(const std::string& input, const std::string& variant);

}  // namespace cli
