// SPDX-License-Identifier: MIT
// How many instructions a GPU's compiler makes of what the simulator has seen, which is another compiler's
// program.
#pragma once

#include "model/stream.hpp"

namespace model {

// Fitted to the instructions that ncu counted of the solutions and of experts' kernels (docs/estimates.md).
struct InstructionTable {
  double warp = 4.9;         // at a warp's begin and end: indices, parameters, exit
  double access = 1.1;       // the access itself
  double computed = 2.3;     // an address of 64 bits that has to be worked out anew
  double arithmetic = 0.49;  // each of the simulated program's, of which a GPU does several at once
  double branch = 1.2;       // of the simulated program
  double between = 1.2;      // each basic block on the way that has no access
  double guarded = 6.2;      // a store or atomic behind such a block: lanes part and meet again
  double division = 18;  // of integers by a number that is not known: calibrate remainders, 20.1 cycles each
  double barrier = 4.5;  // with what it compares
  double cas_round = 6;  // a load, an operation, a compare-and-swap, one or two comparisons, and a branch
};

// The same table where a kernel has so many times as many instructions as it says.
InstructionTable times(const InstructionTable& table, double factor);

// Those that a warp issues up to this step and with it, but for what begins and ends a warp.
double instructions(const Step& step, const InstructionTable& table = {});

}  // namespace model
