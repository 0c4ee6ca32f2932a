// SPDX-License-Identifier: MIT
// threadIdx, blockIdx, blockDim, gridDim and warpSize. They are `const` functions behind macros: a global
// object would itself be instrumented, and counted as memory that the kernel reads.
#pragma once

#include "simulator/cuda/types.hpp"

namespace simulator {

[[gnu::const]] uint3 thread_index();
[[gnu::const]] uint3 block_index();
[[gnu::const]] dim3 block_extent();
[[gnu::const]] dim3 grid_extent();

}  // namespace simulator

#define threadIdx (::simulator::thread_index())
#define blockIdx (::simulator::block_index())
#define blockDim (::simulator::block_extent())
#define gridDim (::simulator::grid_extent())
constexpr int warpSize = 32;
