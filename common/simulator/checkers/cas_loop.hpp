// SPDX-License-Identifier: MIT
// Loops of compare-and-swaps: of the program, and of atomics that shared memory has no instruction for.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/observer.hpp"

namespace simulator {

// What a warp does for an atomic of kind cas_loop if no other warp comes in between: in each round those
// lanes whose word is not changed yet load it and try a compare-and-swap, of which one changes the word.
//
// A compare-and-swap of the program, too, is tried in rounds where several lanes have changed one word. Here
// a lane has loaded what the one before it had left; on a GPU all have loaded the same, and all but one fail.
struct CasLoop {
  unsigned loads = 0, load_wavefronts = 0;  // of the warp
  unsigned swaps = 0, swap_wavefronts = 0;
  struct Word {
    std::uintptr_t address;
    unsigned changes;  // lanes that have changed it, one after another
  };
  std::vector<Word> words = {};
};
CasLoop cas_loop_of(const WarpAccess& access);

}  // namespace simulator
