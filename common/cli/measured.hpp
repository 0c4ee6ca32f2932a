// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "cli/messages.hpp"
#include "measure/run.hpp"

namespace cli {

// Builds an exercise's runner if need be and runs it, with a progress bar. A runner that does not build or cannot run
// here is a finding of the report.
measure::RunReport measured_run(const RunDescription& description, judge::Tree tree, const histogram::Input& input,
                                std::optional<unsigned> block = {}, std::optional<unsigned> grid = {});

// What the finding of one run means for the program's exit.
int exit_code_of(const judge::Finding& finding);

}  // namespace cli
