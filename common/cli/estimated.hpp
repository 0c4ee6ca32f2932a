// SPDX-License-Identifier: MIT
// Estimates of what a GPU would take, for the verbs that show them. An estimate is never called a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "measure/record.hpp"
#include "model/estimate.hpp"

namespace cli {

struct Estimated {
  model::Device device;
  // What the estimate is of; its length and launch are those of the estimate, its finding is that of a short run.
  measure::Record record;
  std::optional<model::Estimate> estimate;
  std::string message;  // why there is none, or what to know of it
};

// The GPUs that there are files of.
std::vector<std::string> names_of_devices();

// Throws facts::UsageError, with the names of those that are known.
model::Device find_device(const std::string& id);

// Builds the exercise's runner if need be, runs it over a short input to judge it, then samples of the launch.
Estimated estimated_run(const LaunchOptions& options, const workbook::ExerciseInfo& exercise,
                        const model::Device& device);

// "warps wait for what they load".
std::string_view words_of_bound(std::string_view name);

}  // namespace cli
