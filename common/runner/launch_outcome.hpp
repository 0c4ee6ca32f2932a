// SPDX-License-Identifier: MIT
// What a launch is asked for besides its shape, and what it leaves behind, for the backend that this is
// compiled for.
#pragma once

#if defined(WORKBOOK_SIMULATOR)

#include "simulator/launch.hpp"

namespace runner {
struct LaunchOutcome {
  simulator::LaunchConfiguration configuration;  // but for its shape
  simulator::LaunchResult result;
};
}  // namespace runner

#else

#include <cuda_runtime_api.h>

namespace runner {
struct LaunchOutcome {
  cudaError_t error = cudaSuccess;
  const void* kernel =
      nullptr;  // that was launched, as the CUDA runtime knows it; null: several, or a library's
};
}  // namespace runner

#endif
