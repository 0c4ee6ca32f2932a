// SPDX-License-Identifier: MIT
// Names what the runner is doing, for profilers: ncu finds the launch of a sample by these ranges. NVTX's C
// header, for the one with C++ ranges came after CUDA 12.0.
#pragma once

#include <nvtx3/nvToolsExt.h>

namespace runner {

// From here to the end of the scope; ranges nest. Costs a few nanoseconds where no profiler listens.
class NvtxRange {
 public:
  explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
  ~NvtxRange() { nvtxRangePop(); }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace runner
