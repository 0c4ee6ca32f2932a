// SPDX-License-Identifier: MIT
// What each lane takes away from a warp operation once all lanes of the mask have come.
#pragma once

#include <array>

#include "simulator/machine.hpp"

namespace simulator {

// The requests of the lanes in `lanes` (a bit each); the others are null.
using LaneRequests = std::array<WarpRequest*, ModelDevice::lanes>;

// Writes the result of every lane in `lanes`. Precondition: their operations and masks are equal.
void complete_operation(const LaneRequests& requests, unsigned lanes);

}  // namespace simulator
