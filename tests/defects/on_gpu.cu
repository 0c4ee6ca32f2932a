// SPDX-License-Identifier: MIT
// defect-kernels.gpu KERNEL defect|twin: launches this version of a kernel as its test does.
//
// One unit, for a kernel can be launched only where it was compiled.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

// The versions are told apart by a constant that no parameter has.
#pragma nv_diag_suppress 445

#include "barrier_kernels.cpp"
#include "barrier_test.cpp"
#include "global_race_kernels.cpp"
#include "global_race_test.cpp"
#include "initialisation_kernels.cpp"
#include "initialisation_test.cpp"
#include "memory_kernels.cpp"
#include "memory_test.cpp"
#include "shared_race_kernels.cpp"
#include "shared_race_test.cpp"
#include "warp_kernels.cpp"
#include "warp_test.cpp"

int main(int argument_count, char** arguments) { return run_chosen_version(argument_count, arguments); }
