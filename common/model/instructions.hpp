// SPDX-License-Identifier: MIT
// How many instructions a GPU's compiler makes of what the simulator has seen, which is another compiler's
// program.
#pragma once

#include "model/stream.hpp"

namespace model {

// Fitted to the instructions that ncu counted of the solutions of labs 02 to 06 (docs/estimates.md).
struct InstructionTable {
  double warp = 6.3;      // at a warp's begin and end: indices, parameters, exit
  double access = 1.55;   // the access, and its part of the loop that it stands in
  double computed = 3.7;  // an address of 64 bits that has to be worked out anew
  double between = 1.4;   // each basic block on the way that has no access: a comparison, a branch
  double guarded = 7.3;   // a store or atomic behind such a block: lanes part and meet again
  double division = 18;   // of integers by a number that is not known: calibrate remainders, 20.1 cycles each
  double barrier = 7.5;   // with the loop in front of it and what that compares
};

// The same table where a kernel has so many times as many instructions as it says.
InstructionTable times(const InstructionTable& table, double factor);

// Those that a warp issues up to this step and with it, but for what begins and ends a warp.
double instructions(const Step& step, const InstructionTable& table = {});

}  // namespace model
