// SPDX-License-Identifier: MIT
// The parts of `lab bench`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/shown_estimates.hpp"
#include "measure/ladder.hpp"
#include "measure/sweep.hpp"
#include "workbook/workbook.hpp"

namespace cli {

struct BenchOptions {
  std::string lab, on, input, sweep;  // no input: the first of those that a ladder is measured on
  VariantChoice variant;
  std::optional<std::uint64_t> length, seed;
  bool variants = false, warm = false, own = false, json = false;
};

// What the options of a bench mean, and what it has measured.
struct Bench {
  const BenchOptions& options;
  const measure::SweepKind* sweep;  // null: the ladder
  std::vector<workbook::ExerciseInfo>
      exercises;  // of a sweep, with --variants, or of the ladder on the simulator
  std::vector<std::string> variants, inputs;
  workbook::Tree tree;
  facts::Backend backend;
  std::uint64_t length, seed;
  std::vector<measure::Record> records = {};
  int exit_code = ExitCode::fine;
  measure::ReadLaunch read_launch = {};
  // The GPU whose estimates are shown; nullopt: none. They are over as many elements as a GPU would be given.
  std::optional<model::Device> device = {};
  std::uint64_t estimated_length = 0;

  // The tree of an exercise or variant.
  workbook::Tree tree_of(const workbook::ExerciseInfo& exercise) const;
  // Of the exercises' problem.
  const problems::Reference& reference() const;
  ChosenInput choose(const std::string& input) const;
  // The beginning of every record.
  measure::Record asked(const std::string& input, const std::string& variant,
                        const workbook::ExerciseInfo& exercise) const;
  // Estimates what ran as the record says, with a launch and over an input of the kind that is meant, and
  // writes it into the record; nullopt where nothing is to be shown.
  std::optional<EstimateRow> estimate(measure::Record& record, std::uint64_t elements,
                                      const InputMaker& input, const runner::RunOptions& launch = {}) const;
  // Labs that are still to come are no failure, unless one was asked for.
  void add(measure::Record record);
  // Prints the document of --json, or else `text`. Returns the program's exit code.
  int finish(const std::string& text) const;
};

// Estimates of what stands in one table of a ladder or of variants.
class BenchEstimates {
 public:
  BenchEstimates(const Bench& bench, std::string input, std::string variant)
      : bench_(bench), input_(std::move(input)), variant_(std::move(variant)) {}

  // Estimates what the record is of, unless it is a peer or did not pass, and writes that into it.
  void add(measure::Record& record);
  void print() const;

 private:
  const Bench& bench_;
  const std::string input_, variant_;
  std::vector<EstimateRow> rows_;
};

// Each returns the program's exit code.
int bench_ladder(Bench& bench);
int bench_sweep(Bench& bench);
int bench_variants(Bench& bench);

// Those with counters, under the columns that say something of them, and those without.
void print_counters(const std::vector<measure::Record>& records);

// Times, shares of the limit, speed-up over the first lab on the CPU and over the lab before.
void print_ladder(const measure::Ladder& ladder);

// The newest ladder of this input and variant among the records kept with the documents, for whoever has no
// GPU, under a line that says whose it is and when it was measured. Prints nothing if there is none.
void print_recorded_ladder(const std::string& input, const std::string& variant);

}  // namespace cli
