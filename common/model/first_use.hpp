// SPDX-License-Identifier: MIT
// Where a kernel's machine code first waits for what a load brings.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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

// Loads of 1, 2, 4, 8 and 16 bytes.
constexpr std::size_t widths = 5;
constexpr std::size_t width_of(unsigned bytes) {
  return std::min(static_cast<std::size_t>(std::countr_zero(bytes)), widths - 1);
}

// Of each width: of one load after the other, and again from the first one on. Empty: nothing is known.
using UsesOfWidths = std::array<std::vector<LoadUse>, widths>;

// Of the load of global memory at `load`: other accesses of the warp, barriers and operations among them,
// and loads as wide, between it and the first instruction that waits for it, on the way that the code takes
// if no branch but those back to the begin of a loop is taken. `targets`: of branches.
LoadUse use_of_load(const std::vector<Instruction>& code, const std::vector<std::size_t>& targets,
                    std::size_t load);

// Of the load of shared memory at `load`: the accesses in between, also in the next turn.
unsigned accesses_until_use(const std::vector<Instruction>& code, const std::vector<std::size_t>& targets,
                            std::size_t load);

}  // namespace model
