// SPDX-License-Identifier: MIT
// Estimates of what a GPU would take, for the verbs that show them. An estimate is never called a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "measure/run.hpp"
#include "model/estimate.hpp"

namespace cli {

struct Estimated {
  model::Device device;
  // What the estimate is of; its length and launch are those of the estimate, its finding is that of a short
  // run.
  measure::Record record;
  std::optional<model::Estimate> estimate;
  std::string message;  // why there is none, or a verdict that is not pass, or what the model leaves out
  // Of a thread, by nvcc; nullopt: not known, and taken to limit nothing.
  std::optional<unsigned> registers = {};
};

// Makes an input of the kind that is meant, of so many elements.
using InputMaker = std::function<std::unique_ptr<problems::Input>(std::uint64_t length)>;

// What an estimate is asked of: exercise, variant, input's name, length and seed in `record`.
struct EstimateQuestion {
  measure::Record record;
  workbook::Tree tree;
  runner::RunOptions launch;  // block and grid, where they are not the exercise's own
  InputMaker input;
  // Whether somebody has judged the kernel just now. Else it is judged first: a student's file by all cases
  // of `lab check`, because right counts are all that an estimate needs, and a solution by a short run.
  bool judged = false;
  // Whether nvcc, where it is there, is asked what it makes of the kernel: that takes it a second or more.
  bool compiled = false;
};
EstimateQuestion estimate_question(const LaunchOptions& options, const workbook::ExerciseInfo& exercise);

// Of a kernel that ran as `record` says, but over `length` elements.
EstimateQuestion question_about(const measure::Record& record, workbook::Tree tree, std::uint64_t length,
                                InputMaker input, const runner::RunOptions& launch = {});

// Builds the exercise's runner if need be, runs it over a short input to judge it, then samples of the
// launch. What the model is fed with is left in `fed`, unless it is null.
struct ModelInput {
  model::Launch launch;
  std::vector<model::Sample> samples;
  std::vector<unsigned char> code;  // the kernel's, as nvcc made it; empty: not known
};
Estimated estimated_run(const EstimateQuestion& question, const model::Device& device,
                        ModelInput* fed = nullptr);

// As a record keeps it; nullopt if there is none.
std::optional<measure::Estimate> kept_estimate(const Estimated& estimated);

}  // namespace cli
