// SPDX-License-Identifier: MIT
#pragma once

#include "facts/launch_shape.hpp"
#include "runner/protocol.hpp"

namespace runner {

// How many blocks of such a launch a multiprocessor of this GPU holds, by the occupancy API, and which of its
// resources allows no more. `kernel` is what the CUDA runtime knows it by. Throws CudaError.
Occupancy occupancy(const void* kernel, const LaunchShape& shape);

}  // namespace runner
