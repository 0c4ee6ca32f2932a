// SPDX-License-Identifier: MIT
// Input and result of a launch besides its shape, for the backend that this is compiled for.
#pragma once

#if defined(WORKBOOK_SIMULATOR)

#include "runner/protocol.hpp"
#include "simulator/launch.hpp"
#include "simulator/observer.hpp"

namespace runner {

struct LaunchOutcome {
  simulator::LaunchConfiguration configuration;  // but for its shape
  simulator::LaunchResult result;
};

// Counts how a kernel goes about its work where the profiler's counters cannot tell. The counts are the
// problem's affair: its technique rules read them.
class ConductObserver : public simulator::Observer {
 public:
  virtual Conduct counted() const = 0;
};

}  // namespace runner

#else

#include <cuda_runtime_api.h>

namespace runner {

struct LaunchOutcome {
  cudaError_t error = cudaSuccess;
  // The kernel that was launched, as the CUDA runtime knows it; null: several kernels, or a library's.
  const void* kernel = nullptr;
};

}  // namespace runner

#endif
