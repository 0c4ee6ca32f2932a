// SPDX-License-Identifier: MIT
// The `lab` program: its entry and its exit codes.
#pragma once

namespace cli {

struct ExitCode {
  static constexpr int fine = 0;
  static constexpr int not_passed = 1;  // a verdict other than pass
  static constexpr int usage = 2;       // wrong usage
  static constexpr int machine = 3;     // the machine lacks something
};

// Parses the command line and runs the chosen verb. Returns the exit code.
int run_program(int argument_count, char** arguments);

}  // namespace cli
