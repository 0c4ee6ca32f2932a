// SPDX-License-Identifier: MIT
// Which atomics of a compiled unit change a word whose place is the same for all lanes of a warp by the way
// it is computed: from constants, parameters, the block's index, the counter of a loop that all lanes leave
// together, and not from the thread's index, from what a lane has loaded at a place of its own, or in
// branches that lanes take apart. There a GPU's compiler reduces the operands of the lanes first, and one
// lane changes the word. That the lanes happen to meet at one word, because their data are equal, tells
// nothing of this.
#pragma once

#include <string>
#include <vector>

namespace simulator {

// The assembly for x86-64, in which these atomics call `perform_uniform_atomic` (cuda/atomics.hpp) where they
// called `perform_atomic`. `trusted` as in guarded_assembly.hpp: whatever function the harness takes the
// address of is a kernel, whose parameters are the same for all lanes. A function that cannot be read, or
// jumps to computed places, stays as it is.
std::string with_uniform_atomics(const std::string& assembly, const std::vector<std::string>& trusted);

}  // namespace simulator
