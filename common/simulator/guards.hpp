// SPDX-License-Identifier: MIT
// What the checks that lab-guard adds to a compiled unit call (guarded_assembly.hpp): so a kernel's every
// access is seen, also those that the compiler's instrumentation leaves out, no call leads out of the unit
// but to what it names, and every function returns to where it was called. On x86-64 alone.
#pragma once

#include <array>
#include <cstdint>

namespace simulator {

struct Range {
  std::uintptr_t begin = 0, bytes = 0;
  bool contains(std::uintptr_t address, std::uintptr_t size) const {
    return address - begin < bytes && size <= bytes - (address - begin);
  }
  bool operator==(const Range&) const = default;
};

// The place of a call of a unit's function, in a list that its thread cannot reach.
struct CallPlace {
  std::uintptr_t returns_to, frame, stack;
};

// Below the first entry: no call.
constexpr CallPlace no_call{0, 0, UINTPTR_MAX};

// Accesses that the instrumentation has seen just before, as checks behind them ask for.
struct SeenAccess {
  std::uintptr_t address, bytes;
};

extern "C" {
// Of the running thread: its local memory, and behind the last entry of its list of calls.
extern Range simulator_own_stack;
extern CallPlace* simulator_calls_end;
// What nobody can write to: the program's code and literals.
extern Range simulator_fixed;
extern std::array<SeenAccess, 8> simulator_seen;
extern std::uint32_t simulator_candidates;  // a bit for each of those above
}

}  // namespace simulator
