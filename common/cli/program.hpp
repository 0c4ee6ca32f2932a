// SPDX-License-Identifier: MIT
#pragma once

namespace cli {

// The `lab` program. Returns its exit code.
int run_program(int argument_count, char** arguments);

}  // namespace cli
