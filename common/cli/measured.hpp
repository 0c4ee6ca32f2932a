// SPDX-License-Identifier: MIT
// Runs that verbs make, what they say of them, and the records that they keep and show.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "measure/run.hpp"

namespace cli {

// `asked` with what came of it: builds its exercise's runner if need be and runs it, with a progress bar. A
// runner that does not build or cannot run here is a finding of the record.
measure::Record measured_run(measure::Record asked, workbook::Tree tree, const problems::Input& input,
                             const runner::RunOptions& options = {});

// "04_shared_memory histogram on sim: " and its input.
std::string run_text(const measure::Record& record);

// "41 bytes of phrase, ", then the variant under the name of its option.
std::string input_text(const problems::Problem& problem, std::uint64_t length, std::string_view input,
                       std::string_view variant);
std::string input_text(const measure::Record& record);

// "1 block of 256 threads\n"; empty where nothing was launched.
std::string launch_text(const measure::Record& record);

// What a person must know of the GPU's clock before believing a time: samples that were dropped, and what to
// do; else empty.
std::string clock_text(const measure::Record& record);

// The shape that the user asks for. Throws UsageError for numbers that no device launches, and for any where
// the exercise launches no kernel: what a student's file asks for is refused by the device instead, as a
// finding.
runner::RunOptions chosen_launch(const LaunchOptions& options, const workbook::ExerciseInfo& exercise);

// What the finding of one run means for the program's exit.
int exit_code_of(const facts::Finding& finding);

// Keeps a run among the records in the build folder (measure/records.hpp). Where that is not possible a line
// on standard error says why; nothing else depends on it.
void keep_record(measure::Record record);

struct KeptRecords {
  std::string file;
  std::vector<nlohmann::ordered_json> records;
};

// The records in the file that the user names or, if `named` is empty, in the build folder's. Lines that are
// left out are told on standard error. Throws MachineError where a named file is not there, std::system_error
// for one that cannot be read.
KeptRecords kept_records(const std::string& named);

// What the user typed, for the records.
void remember_command(int argument_count, char** arguments);

}  // namespace cli
