// SPDX-License-Identifier: MIT
// The verbs of the `lab` program. A verb is a file in this folder that holds its options, their words for
// --help, and a function of the options that returns the exit code (program.hpp) or throws UsageError or
// MachineError (facts/errors.hpp); its add_NAME puts it on the command line. meson.build lists the verbs in
// the order of `lab --help`, and needs a line for a new one.
#pragma once

#include "cli/command_line.hpp"

namespace cli {

void add_verbs(CommandLine& line);

// `lab` without a verb: how far the student is, and what comes next.
int overview();

}  // namespace cli
