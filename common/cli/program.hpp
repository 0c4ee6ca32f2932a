// SPDX-License-Identifier: MIT
// The program `lab`, and lab-class, which is the same with other verbs (verbs/apart.hpp).
#pragma once

namespace cli {

class CommandLine;

// Parses the command line and runs the chosen verb. `add_verbs` puts the program's verbs on it. Returns the
// exit code.
int run_program(int argument_count, char** arguments, void (*add_verbs)(CommandLine&));

}  // namespace cli
