// SPDX-License-Identifier: MIT
// How many instructions a GPU's compiler makes of what the simulator has seen, which is another compiler's
// program.
#pragma once

#include "model/stream.hpp"

namespace model {

// Fitted to the instructions that ncu counted of the solutions and of experts' kernels (docs/estimates.md).
struct InstructionTable {
  double warp = 5.2;         // at a warp's begin and end: indices, parameters, exit
  double access = 0.44;      // the access itself
  double computed = 1.47;    // an address of 64 bits that has to be worked out anew
  double arithmetic = 0.81;  // each of the simulated program's, but for what is known when it is compiled
  double branch = 0.56;      // of the simulated program
  double between = 2.24;     // each basic block of a GPU's code on the way that has no access
  double folded = 0.36;      // each other one, which goes on where the block before ends: a predicate
  double guarded = 7.29;     // a store or atomic behind a block without one: lanes part and meet again
  double division = 18;   // of integers by a number that is not known: calibrate remainders, 20.1 cycles each
  double barrier = 2.39;  // with what it compares
  double unmade = 1;      // each of those that this table has counted already
  double cas_round = 6;   // a load, an operation, a compare-and-swap, one or two comparisons, and a branch
  // What all this adds to the error of an estimate: nine in ten of the kernels to which nothing was fitted
  // are within 36 % with it, and within 20 % where the machine code is read.
  double error = 0.3;
};

// The same table where a kernel has so many times as many instructions as it says.
InstructionTable times(const InstructionTable& table, double factor);

// Those that a warp issues up to this step and with it, but for what begins and ends a warp.
double instructions(const Step& step, const InstructionTable& table = {});

}  // namespace model
