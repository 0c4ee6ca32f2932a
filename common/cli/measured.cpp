// SPDX-License-Identifier: MIT
#include "cli/measured.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/speech.hpp"
#include "facts/errors.hpp"
#include "facts/words.hpp"
#include "judge/build.hpp"
#include "judge/check.hpp"
#include "judge/finding_details.hpp"
#include "measure/gpu_device.hpp"
#include "measure/records.hpp"
#include "report/numbers.hpp"
#include "report/terminal/screen.hpp"

namespace cli {

namespace {

std::string& command() {
  static std::string words;
  return words;
}

}  // namespace

measure::Record measured_run(measure::Record asked, workbook::Tree tree, const problems::Input& input,
                             const runner::RunOptions& options) {
  const workbook::Workbook& workbook = workbook::here();
  report::ProgressBar bar(fmt::format("{} on {}", asked.exercise.lab, name_of(asked.backend)));
  asked.tree = name_of(tree);
  if (auto missing = judge::missing_backend(workbook, asked.backend)) {
    asked.finding = std::move(*missing);
    return asked;
  }
  bar.update("building");
  const workbook::Target target = workbook.target(asked.exercise, tree, asked.backend);
  if (auto error = judge::build_runner(workbook, target,
                                       {.progress = [&](const std::string& step) { bar.update(step); }})) {
    asked.finding = std::move(*error);
    return asked;
  }
  measure::Sampling sampling{.progress = [&bar](double fraction) { bar.update(fraction); }};
  if (traits_of(asked.backend).accelerator)
    sampling.highest_clock_mhz = highest_clock_mhz(measure::gpu_device(workbook));
  measure::Record record =
      measure::run(judge::runner_settings(target), input, std::move(asked), options, sampling);
  const judge::StudentNames names(measure::problem_of(record), record.exercise.launched, target.source);
  complete(record.finding, names);
  return record;
}

std::string run_text(const measure::Record& record) {
  return fmt::format("{} {} on {}: {}", record.exercise.lab, record.exercise.name, name_of(record.backend),
                     input_text(record));
}

std::string input_text(const problems::Problem& problem, std::uint64_t length, std::string_view input,
                       std::string_view variant) {
  return fmt::format("{} {} of {}, {} {}", facts::separated(length), problem.elements(), input,
                     problem.variant_option(), variant);
}

std::string input_text(const measure::Record& record) {
  return input_text(measure::problem_of(record), record.length, record.input, record.variant);
}

std::string launch_text(const measure::Record& record) {
  if (record.launches == 0 || !record.exercise.launched) return {};
  return fmt::format("{}{}\n", report::shape_text(record.launch.grid, record.launch.block),
                     record.launches > 1
                         ? fmt::format("; {} launches, one for each piece of the input", record.launches)
                         : "");
}

std::string clock_text(const measure::Record& record) {
  if (record.dropped == 0) return {};
  const double highest = measure::highest_clock_mhz(measure::gpu_device(workbook::here()));
  return fmt::format(
      "{} samples were dropped: the GPU's clock was below {:.0f} MHz, {:.0f} % of its {:.0f}; let it cool, "
      "and measure again\n",
      record.dropped, measure::slowest_clock * highest, 100 * measure::slowest_clock, highest);
}

runner::RunOptions chosen_launch(const LaunchOptions& options, const workbook::ExerciseInfo& exercise) {
  const auto number = [&](std::string_view option, std::optional<std::uint64_t> asked, unsigned most,
                          std::string_view of) -> std::optional<unsigned> {
    if (!asked) return std::nullopt;
    if (!exercise.launched) {
      throw facts::UsageError(fmt::format("--{} {}: lab {} launches no kernel", option, *asked,
                                          workbook::here().short_name(exercise)));
    }
    if (*asked == 0 || *asked > most) {
      throw facts::UsageError(
          fmt::format("--{} {}: a {} has 1 to {} {}", option, *asked, option, facts::separated(most), of));
    }
    return static_cast<unsigned>(*asked);
  };
  return {.block = number("block", options.block, facts::most_threads_of_block, "threads"),
          .grid = number("grid", options.grid, facts::most_blocks_of_grid, "blocks")};
}

int exit_code_of(const facts::Finding& finding) {
  switch (finding.verdict) {
    case facts::Verdict::pass:
      return ExitCode::fine;
    case facts::Verdict::unavailable:
      return ExitCode::machine;
    default:
      return ExitCode::not_passed;
  }
}

void remember_command(int argument_count, char** arguments) {
  command() = "lab";
  for (int i = 1; i < argument_count; ++i) command() += fmt::format(" {}", arguments[i]);
}

void keep_record(measure::Record record) {
  const workbook::Workbook& workbook = workbook::here();
  add_context(record, workbook, command());
  const std::string fault = measure::append_record(measure::records_file(workbook), kept_json(record));
  static bool told = false;
  if (!fault.empty() && !told) fmt::print(stderr, "lab: this is not recorded: {}\n", fault);
  told = told || !fault.empty();
}

KeptRecords kept_records(const std::string& named) {
  std::error_code fault;
  if (!named.empty() && !std::filesystem::exists(named, fault)) {
    throw facts::MachineError(
        fmt::format("cannot read {}: {}", named, fault ? fault.message() : "there is no such file"));
  }
  const std::string file = named.empty() ? measure::records_file(workbook::here()) : named;
  measure::Records read = measure::read_records(file);
  for (const std::string& warning : read.warnings) fmt::print(stderr, "lab: {}\n", warning);
  return {file, std::move(read.records)};
}

}  // namespace cli
