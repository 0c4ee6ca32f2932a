// SPDX-License-Identifier: MIT
// Estimates of what a GPU would take, for the verbs that show them. An estimate is never called a time.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
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
  std::string message;  // why there is none, or a verdict that is not pass, or what the model leaves out
  // Of a thread, by nvcc; nullopt: not known, and taken to limit nothing.
  std::optional<unsigned> registers = {};
};

// The GPU that estimates are of where none is named.
constexpr const char* usual_device = "h200";

// Where `lab calibrate` puts the files of GPUs that were measured here.
std::string own_devices_folder();

// The GPUs that there are files of: those that come with the workbook, and those that were measured here.
std::vector<std::string> names_of_devices();

// Throws facts::UsageError, with the names of those that are known.
model::Device find_device(const std::string& id);
nlohmann::ordered_json device_json(const std::string& id);

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

// The GPU whose estimates stand beside what other verbs show. Without a GPU the H200, or the one that
// WORKBOOK_ESTIMATE in the environment names; with one that is on the list this one, so that estimate and
// measurement can be compared. nullopt: none, because that GPU is not on the list, there is no simulator to
// feed the model, or WORKBOOK_ESTIMATE is "none".
std::optional<model::Device> shown_device();

// The device of a GPU that calls itself so ("NVIDIA H200"); nullopt if it is not on the list.
std::optional<model::Device> device_of_gpu(const std::string& name);

// As a record keeps it; nullopt if there is none.
std::optional<measure::Estimate> kept_estimate(const Estimated& estimated);

}  // namespace cli
