// SPDX-License-Identifier: MIT
// The program `lab`.
#pragma once

namespace cli {

// Parses the command line and runs the chosen verb. Returns the exit code.
int run_program(int argument_count, char** arguments);

}  // namespace cli
