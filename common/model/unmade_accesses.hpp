// SPDX-License-Identifier: MIT
// Accesses that the compiler has put under a predicate: a warp of which no lane fulfils it issues them and
// accesses nothing, so the simulator has seen none. In a tree in shared memory most warps do so in most
// steps, and all have the same instructions.
#pragma once

#include <vector>

#include "model/instructions.hpp"
#include "model/sampling.hpp"

namespace model {

// The same samples where the instructions of such accesses stand at the barrier behind them, in the warps of
// a block that make fewer accesses than another one between the same two barriers. `unmade`: accesses of a
// mean warp in the last sample that no lane makes; no more than so many are given to the warps.
std::vector<Sample> with_unmade_accesses(std::vector<Sample> samples, double unmade,
                                         const InstructionTable& table);

}  // namespace model
