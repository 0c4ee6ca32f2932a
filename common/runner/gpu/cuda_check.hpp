// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <string>

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

}  // namespace runner
