// SPDX-License-Identifier: MIT
// The loops of compare-and-swaps that nvcc makes of atomics for which shared memory has no instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/observer.hpp"

namespace simulator {

// What a warp does for an atomic of kind cas_loop if no other warp comes in between: in each round those
// lanes whose word is not changed yet load it and try a compare-and-swap, of which one changes the word.
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
