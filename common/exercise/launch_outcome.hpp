// SPDX-License-Identifier: MIT
// What a launch leaves behind, for the backend that this is compiled for.
#pragma once

#if defined(WORKBOOK_SIMULATOR)

#include "simulator/launch.hpp"

namespace exercise {
struct LaunchOutcome {
  simulator::LaunchResult result;
  simulator::Observer* observer = nullptr;  // in: is told of the launch's events
};
}  // namespace exercise

#else

#include <cuda_runtime_api.h>

namespace exercise {
struct LaunchOutcome {
  cudaError_t error = cudaSuccess;
};
}  // namespace exercise

#endif
