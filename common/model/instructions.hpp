// SPDX-License-Identifier: MIT
// How many instructions a GPU's compiler makes of what the simulator has seen, which is another compiler's
// program.
#pragma once

#include "model/stream.hpp"

namespace model {

// Fitted to the instructions that ncu counted of the solutions and of experts' kernels (docs/estimates.md).
struct InstructionTable {
  double warp = 5.0;         // at a warp's begin and end: indices, parameters, exit
  double access = 0.62;      // the access itself
  double computed = 0.89;    // an address of 64 bits that has to be worked out anew
  double arithmetic = 0.90;  // each of the simulated program's, but for what is known when it is compiled
  double branch = 0.48;      // of the simulated program
  double between = 2.16;     // each basic block of a GPU's code on the way that has no access
  double guarded = 7.24;     // a store or atomic behind a block without one: lanes part and meet again
  double division = 18;   // of integers by a number that is not known: calibrate remainders, 20.1 cycles each
  double barrier = 1.67;  // with what it compares
  double cas_round = 6;   // a load, an operation, a compare-and-swap, one or two comparisons, and a branch
};

// The same table where a kernel has so many times as many instructions as it says.
InstructionTable times(const InstructionTable& table, double factor);

// Those that a warp issues up to this step and with it, but for what begins and ends a warp.
double instructions(const Step& step, const InstructionTable& table = {});

}  // namespace model
