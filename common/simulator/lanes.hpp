// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

namespace simulator {

// Calls function(lane) for each lane of a set, from the lowest to the highest.
template <class Function>
void for_each_lane(unsigned lanes, Function function) {
  for (; lanes; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

}  // namespace simulator
