// SPDX-License-Identifier: MIT
// What the source asks of a loop: `#pragma unroll 1` in front of it, and it stays one; other numbers make so
// many turns one. The compiler of the simulator does not know that, so its assembly does not tell it.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

namespace simulator::x86 {

// The lines of a unit's text with jumps that stand in the source in the head of such a loop, and the number
// of its turns. Empty where the source cannot be read.
std::map<std::size_t, unsigned> jumps_of_loops_with_pragma(const std::vector<std::string_view>& lines);

}  // namespace simulator::x86
