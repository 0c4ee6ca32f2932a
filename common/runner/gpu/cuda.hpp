// SPDX-License-Identifier: MIT
// CUDA's runtime as the executor uses it: every call is checked, memory frees itself, and ranges name for
// profilers what the runner is doing. Functions throw CudaError.
#pragma once

#include <cuda_runtime_api.h>
#include <fmt/core.h>
#include <nvtx3/nvToolsExt.h>  // NVTX's C header, for the one with C++ ranges came after CUDA 12.0

#include <cstdint>
#include <optional>
#include <string>

#include "problems/input.hpp"
#include "runner/guard.hpp"

namespace runner {

// A call of the CUDA runtime that failed, with its name and CUDA's words.
struct CudaError {
  cudaError_t code;
  std::string words() const {
    return fmt::format("{}: {}", cudaGetErrorName(code), cudaGetErrorString(code));
  }
};

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw CudaError{code};
}

// ncu finds the launch of a sample by these ranges: from here to the end of the scope; ranges nest. Costs a
// few nanoseconds where no profiler listens.
class NvtxRange {
 public:
  explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
  ~NvtxRange() { nvtxRangePop(); }
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
};

// Memory of the device.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  unsigned char* data() const { return data_; }

 private:
  unsigned char* data_ = nullptr;
};

// A buffer between guard zones on the device.
class GuardedMemory {
 public:
  GuardedMemory(GuardedLayout layout, unsigned char guard)
      : layout_(layout), guard_(guard), memory_(layout.total()) {}

  unsigned char* payload() const { return memory_.data() + layout_.begin(); }
  const GuardedLayout& layout() const { return layout_; }

  void poison_guards();
  // The first byte of a guard zone that is not as it was, counted from the payload's beginning.
  std::optional<std::int64_t> overwritten() const;

 private:
  GuardedLayout layout_;
  unsigned char guard_;
  DeviceMemory memory_;
};

// Sends the input piece by piece; what lies between its extents is 0 and need not travel.
void upload(const problems::Input& input, unsigned char* to);

}  // namespace runner
