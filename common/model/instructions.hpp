// SPDX-License-Identifier: MIT
// How many instructions a GPU's compiler makes of what the simulator has seen, which is another compiler's program.
#pragma once

#include "model/stream.hpp"

namespace model {

// Fitted to the instructions that ncu counted of the solutions (docs/estimates.md); none of them knows a kernel.
struct InstructionTable {
  double warp = 12;           // at a warp's begin and end: indices, parameters, exit
  double access = 1.6;        // the access and what it does with the element
  double computed = 3.5;      // an address of 64 bits that has to be worked out anew
  double entered = 0.4;       // the basic block that the access stands in, if it is entered for that: part of a loop
  double between = 2.2;       // each basic block on the way that has no access: a comparison, a branch
  double barrier = 2;
  double global_atomic = 3;   // beside `access`
};

// Those that a warp issues up to this step and with it, but for what begins and ends a warp.
double instructions(const Step& step, const InstructionTable& table = {});

}  // namespace model
