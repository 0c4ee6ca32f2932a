// SPDX-License-Identifier: MIT
// What a GPU's profiler would count of an access.
#pragma once

#include "simulator/observer.hpp"

namespace simulator {

// Adds an access to what has been counted.
void count(const WarpAccess& access, facts::Counters& counters);

// The same of a step of a warp alone: a basic block.
void count_step(unsigned lanes, facts::Counters& counters);

// How many 32-byte sectors the lanes of a global access touch.
unsigned sectors(const WarpAccess& access);

// How many times shared memory has to be gone to for a shared access: 32 banks of 4-byte words answer at a
// time, each with one word.
//   loads, stores       the most different words that the lanes want of one bank; accesses of 8 bytes are
//                       served for half a warp at a time, those of 16 for a quarter, unless neighbours want
//                       the same
//   atomic increments   the same: lanes on one word are added up on the way; so are operands at a place that
//                       is the same for all
//   other atomics       the most lanes that want anything of one bank: each waits for the one before; for a
//                       compare-and-swap twice
unsigned wavefronts(const WarpAccess& access);

}  // namespace simulator
