// SPDX-License-Identifier: MIT
#pragma once

namespace runner {

// A runner without a judge, which ncu, compute-sanitizer and cuda-gdb can be pointed at: takes --input,
// --length,
// the variant, --block, --grid and --seed, runs the kernel once and prints the result. Returns the exit
// code: 0 if the kernel ran (whether its result is right is for the judge to say), 1 if it failed, 2 for
// wrong usage, 3 if the machine lacks something.
int run_by_hand(int argument_count, char** arguments);

}  // namespace runner
