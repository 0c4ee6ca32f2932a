// SPDX-License-Identifier: MIT
// Loops that the source wants to stay loops: `#pragma unroll 1` stands in front of them. The compiler of the
// simulator does not know that, so its assembly does not tell it.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

namespace simulator::x86 {

// The lines of a unit's text with jumps that stand in the source in the head of such a loop. Empty where the
// source cannot be read.
std::set<std::size_t> jumps_of_kept_loops(const std::vector<std::string_view>& lines);

}  // namespace simulator::x86
