// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "cli/messages.hpp"
#include "measure/run.hpp"

namespace cli {

// Builds an exercise's runner if need be and runs it, with a progress bar; backend and binning are the
// description's. A runner that does not build or cannot run here is a finding of the report.
measure::RunReport measured_run(const RunDescription& description, workbook::Tree tree,
                                const problems::Input& input, measure::RunOptions options = {});

// "04_shared_memory histogram on sim: 41 bytes of phrase, binning letters4"
std::string run_text(const RunDescription& description);

// "1 block of 256 threads\n"; empty where nothing was launched.
std::string launch_text(const RunDescription& description, const measure::RunReport& report);

// What a person must know of the GPU's clock before believing a time: samples that were dropped, and what to
// do; else empty.
std::string clock_text(const measure::RunReport& report);

// A number of blocks or threads. What a launch cannot hold is refused by the device, not by the command line.
std::optional<unsigned> launch_number(std::optional<std::uint64_t> number);

// What the finding of one run means for the program's exit.
int exit_code_of(const facts::Finding& finding);

}  // namespace cli
