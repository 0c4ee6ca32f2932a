// SPDX-License-Identifier: MIT
// The verbs of the `lab` program, one file each. add_VERB declares a verb's arguments; when it is chosen, the verb runs
// and stores its exit code.
#pragma once

#include <CLI/App.hpp>

namespace cli {

struct ExitCode {
  static constexpr int fine = 0;
  static constexpr int not_passed = 1;   // a verdict other than pass
  static constexpr int usage = 2;        // wrong usage
  static constexpr int machine = 3;      // the machine lacks something
};

void add_check(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_hint(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_reset(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_tour(CLI::App& app, int& exit_code);

// `lab` without a verb: how far the student is, and what comes next. Returns the exit code.
int overview();

}  // namespace cli
