// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/command_line.hpp"
#include "cli/estimated.hpp"
#include "cli/known_devices.hpp"
#include "cli/measured.hpp"
#include "cli/messages.hpp"
#include "cli/shown_estimates.hpp"
#include "cli/speech.hpp"
#include "cli/verbs/verbs.hpp"
#include "facts/bounds.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "report/numbers.hpp"
#include "report/terminal/terminal.hpp"

namespace cli {

namespace {

struct EstimateOptions : LaunchOptions {
  std::string gpu = "h200";
};

// Shares that are smaller say nothing.
constexpr double shown_share = 0.05;
// So is a sampling error that does not show in the range.
constexpr double shown_sampling_error = 0.05;

nlohmann::ordered_json json_of(const Estimated& estimated) {
  const measure::Record& record = estimated.record;
  nlohmann::ordered_json json{{"lab", record.exercise.lab},
                              {"exercise", record.exercise.name},
                              {"gpu", estimated.device.id},
                              {"verdict", std::string(name_of(record.finding.verdict))},
                              {"message", estimated.message},
                              {std::string(problem_of(record.exercise).variant_option()), record.variant},
                              {"input", record.input},
                              {"length", record.length},
                              {"launch", {{"grid", record.launch.grid}, {"block", record.launch.block}}}};
  for (const char* key : {"ms", "low", "high"}) json[key] = nullptr;
  json["bound_by"] = nlohmann::ordered_json::array();
  if (estimated.estimate) {
    json["ms"] = estimated.estimate->ms;
    json["low"] = estimated.estimate->low;
    json["high"] = estimated.estimate->high;
    for (const model::Share& share : estimated.estimate->bound_by)
      json["bound_by"].push_back({{"what", share.what}, {"share", share.share}});
  }
  json["sampling_error"] = nullptr;
  if (estimated.estimate) json["sampling_error"] = estimated.estimate->sampling_error;
  json["registers"] = nullptr;
  if (estimated.registers) json["registers"] = *estimated.registers;
  json["instructions_from"] = nullptr;
  if (estimated.estimate)
    json["instructions_from"] = estimated.estimate->counted_in_code ? "machine code" : "table";
  json["calibrated"] = estimated.device.calibrated;
  return json;
}

// The finding itself stands below.
std::string obstacle_in(facts::Verdict verdict) {
  if (verdict == facts::Verdict::not_started) return "there is no kernel yet";
  if (verdict == facts::Verdict::build_error) return "it does not build for the simulator";
  if (verdict == facts::Verdict::unavailable) return "it cannot be run here";
  return "its counts have to be right first";
}

// What nvcc adds, where it is there.
std::string compiler_text(const Estimated& estimated) {
  if (!estimated.registers) return {};
  return fmt::format(", with {} registers per thread ({})", *estimated.registers,
                     estimated.estimate->counted_in_code ? "registers and instructions as nvcc compiles them"
                                                         : "as nvcc compiles it");
}

void print(const Estimated& estimated) {
  const measure::Record& record = estimated.record;
  const report::Terminal terminal = report::Terminal::of_output();
  const std::string what =
      fmt::format("{} {}, {}", record.exercise.lab, record.exercise.name, input_text(record));
  if (!estimated.estimate) {
    say("{}\nno estimate for {}: {}\n", what, facts::with_article(estimated.device.name),
        record.passed() ? estimated.message : obstacle_in(record.finding.verdict));
    if (!record.passed())
      say("{}", finding_text(workbook::here(), record.exercise, record.finding, terminal));
    return;
  }
  const model::Estimate& estimate = *estimated.estimate;
  say("{}: {}\n{}; {} at a time on each multiprocessor{}\n", estimate_words(estimated.device.name, terminal),
      what, report::shape_text(record.launch.grid, record.launch.block), estimate.resident,
      compiler_text(estimated));
  say("{}\n",
      in_estimate_colour(fmt::format("{} ms, probably {} to {}", report::number_text(estimate.ms),
                                     report::number_text(estimate.low), report::number_text(estimate.high)),
                         terminal));
  if (estimate.sampling_error >= shown_sampling_error)
    say("Only some of the blocks were run for this; others would give up to {:.0f} % more or less.\n",
        100 * estimate.sampling_error);
  say("of this time (what follows overlaps):\n");
  for (const model::Share& share : estimate.bound_by) {
    if (share.share < shown_share) continue;
    say("  {:>3.0f} %  {}\n", 100 * share.share, facts::words_of_bound(share.what));
  }
  if (!estimated.device.calibrated)
    say("The numbers of this GPU are from data sheets; nobody has measured them for this model.\n");
  if (record.passed() && !estimated.message.empty()) say("{}\n", estimated.message);
  // "technique": the counts are right, but not by what the lab teaches.
  if (!record.passed()) say("{}", finding_text(workbook::here(), record.exercise, record.finding, terminal));
}

int estimate(const EstimateOptions& options) {
  const std::vector<workbook::ExerciseInfo> exercises = find_versions(options.lab);
  const model::Device device = find_device(options.gpu);
  std::vector<nlohmann::ordered_json> documents;
  int code = ExitCode::fine;
  for (const workbook::ExerciseInfo& exercise : exercises) {
    const Estimated estimated = estimated_run(estimate_question(options, exercise), device);
    if (options.json) {
      documents.push_back(json_of(estimated));
    } else {
      print(estimated);
    }
    if (!estimated.estimate) {
      const int of_finding = exit_code_of(estimated.record.finding);
      code = std::max(code, of_finding == ExitCode::fine ? ExitCode::not_passed : of_finding);
    }
  }
  if (options.json) {
    fmt::print("{}\n", dumped(documents.size() == 1 ? documents.front()
                                                    : nlohmann::ordered_json{{"exercises", documents}}));
  }
  return code;
}

}  // namespace

void add_estimate(CommandLine& line) {
  auto [verb, options] = line.add<EstimateOptions>(
      "estimate", "what a GPU would take, modelled from the simulator's stream of instructions", estimate);
  verb.add_option("LAB", options.lab, lab_words())->required();
  verb.add_option("--gpu", options.gpu, join(names_of_devices(), ", ") + "; without it, h200");
  add_input_option(verb, options.input);
  add_length_option(verb, options.length, length_words() + "; without it, 1G");
  options.variant.add_options(verb);
  verb.add_option("--block", options.block, "threads per block; the grid covers as many threads as before")
      ->transform(whole_number());
  verb.add_option("--grid", options.grid, "blocks in the grid")->transform(whole_number());
  add_seed_option(verb, options.seed);
  verb.add_flag("--solution", options.solution, "the reference solution");
  verb.add_flag("--json", options.json, json_words);
}

}  // namespace cli
