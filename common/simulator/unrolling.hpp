// SPDX-License-Identifier: MIT
// How nvcc unrolls a loop whose turns it does not know while it compiles. Several turns in a row become one
// piece of code without branches, and a lane goes through the largest pieces first that it has turns for.
#pragma once

#include <cstdint>
#include <vector>

namespace simulator {

enum class Unrolling : std::uint8_t {
  none,  // or not known
  // Its counter goes on by a constant and may step over the end: four turns as long as there are so many,
  // then two, then one.
  by_rest,
  // How many turns there are can be worked out in front of it: sixteen as long as more than twelve are left,
  // then eight, then four. What is left over is made turn by turn behind that, or in front of it.
  counted,
  counted_first,
  // The same by a counter of 64 bits: four turns, and turn by turn.
  counted_wide,
  counted_wide_first,
};

// Turns that are one piece of code.
struct UnrolledPart {
  unsigned phase, number;  // lanes that come to the same go through it together, in this order
  unsigned first_turn, turns;
};

// Of a lane that makes so many turns, in their order.
std::vector<UnrolledPart> unrolled_parts(Unrolling unrolling, unsigned turns);

}  // namespace simulator
