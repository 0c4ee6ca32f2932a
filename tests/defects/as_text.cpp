// SPDX-License-Identifier: MIT
// defect-launches KERNEL defect|twin: prints this launch, all that oclgrind-kernel wants after a kernel's
// name.
#define DOCTEST_CONFIG_IMPLEMENT
#include "as_text.hpp"

#include "barrier_test.cpp"
#include "global_race_test.cpp"
#include "initialisation_test.cpp"
#include "memory_test.cpp"
#include "shared_race_test.cpp"
#include "warp_test.cpp"

int main(int argument_count, char** arguments) { return run_chosen_version(argument_count, arguments); }
