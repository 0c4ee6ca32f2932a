// SPDX-License-Identifier: MIT
// Where a kernel's machine code first waits for what a load brings.
#pragma once

#include <cstddef>
#include <vector>

#include "model/machine_instructions.hpp"

namespace model {

// A load that is used as many accesses later: until then its warp goes on.
struct LoadUse {
  // Later than any that the code has on the way: a turn of the loop later, when this place loads again.
  static constexpr unsigned next_turn = 255;
  unsigned bytes = 0, accesses = 0;
  unsigned loads = 0;  // of the same width that are made meanwhile; one more waits
};

// Of the load of global memory at `load`: other accesses of the warp, barriers and operations among them,
// and loads as wide, between it and the first instruction that waits for it, on the way that the code takes
// if no branch but those back to the begin of a loop is taken. `targets`: of branches.
LoadUse use_of_load(const std::vector<Instruction>& code, const std::vector<std::size_t>& targets,
                    std::size_t load);

}  // namespace model
