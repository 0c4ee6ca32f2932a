// SPDX-License-Identifier: MIT
// What a kernel asks for by blockIdx, blockDim and gridDim, where the unit's own code finds it
// (assembly/inlined_hooks.hpp).
#pragma once

#include "simulator/cuda/types.hpp"

namespace simulator {

struct LaunchIndices {
  uint3 block;
  dim3 block_extent, grid_extent;
};
extern LaunchIndices launch_indices asm("simulator_launch_indices");

}  // namespace simulator
