// SPDX-License-Identifier: MIT
// Estimates of what a GPU would take, for the verbs that show them. An estimate is never called a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  std::string message;  // why there is none, or what to know of it
};

// The GPUs that there are files of.
std::vector<std::string> names_of_devices();

// Throws facts::UsageError, with the names of those that are known.
model::Device find_device(const std::string& id);

// What an estimate is asked of: exercise, variant, input's name, length and seed in `record`.
struct EstimateQuestion {
  measure::Record record;
  workbook::Tree tree;
  runner::RunOptions launch;  // block and grid, where they are not the exercise's own
  // An input of the kind that is meant, of so many elements.
  std::function<std::unique_ptr<problems::Input>(std::uint64_t length)> input;
};
EstimateQuestion estimate_question(const LaunchOptions& options, const workbook::ExerciseInfo& exercise);

// Builds the exercise's runner if need be, runs it over a short input to judge it, then samples of the
// launch. What the model is fed with is left in `fed`, unless it is null.
struct ModelInput {
  model::Launch launch;
  std::vector<model::Sample> samples;
};
Estimated estimated_run(const EstimateQuestion& question, const model::Device& device,
                        ModelInput* fed = nullptr);

// "warps wait for what they load".
std::string_view words_of_bound(std::string_view name);

}  // namespace cli
