// SPDX-License-Identifier: MIT
// How many divisions of integers the machine code of a basic block makes. A GPU has no instruction for one,
// so what is a single step of this program is many of the GPU's. By a constant number compilers do not
// divide.
#pragma once

#include <cstdint>

namespace simulator {

// `site`: that of the block, inside the call which tells that it was entered. The block's code follows, up to
// the call at the next one's beginning. Divisions by what lies in a register are seen.
unsigned divisions_at(std::uintptr_t site);

}  // namespace simulator
