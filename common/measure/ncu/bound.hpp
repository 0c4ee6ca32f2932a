// SPDX-License-Identifier: MIT
// What holds a kernel back, by the figures that ncu has measured of it.
#pragma once

#include <optional>
#include <string_view>

#include "measure/record.hpp"

namespace measure {

struct MeasuredBound {
  std::string_view figure;  // "l1_share"
  std::string_view words;   // "L1 and shared memory are busy"
  double value;             // of the figure: a share in percent, or warps that wait
  bool is_share;
};

// The unit that was busiest, if it was for 60 % of its throughput or more, as ncu itself draws the line
// between a kernel that is bound by a unit and one that waits; below that the longest wait. nullopt: none of
// these figures was measured.
std::optional<MeasuredBound> bound_of(const Figures& figures);

}  // namespace measure
