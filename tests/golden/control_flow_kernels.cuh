// SPDX-License-Identifier: MIT
// Branches and loops in which lanes of a warp go different ways.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

__global__ void conditional_copy(const unsigned* in, unsigned* out, unsigned one_of) {
  if (in[rank()] % one_of == 0) out[rank()] = in[(rank() + 1000) & last];
}

__global__ void divergent_loop(const unsigned* in, unsigned* out, unsigned trips_below) {
  const unsigned trips = in[rank()] % trips_below;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < trips; ++k) sum += in[(rank() + k * 977) & last];
  out[rank()] = sum;
}

__global__ void divergent_nested_loops(const unsigned* in, unsigned* out, unsigned trips_below) {
  const unsigned trips = in[rank()] % trips_below;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < trips; ++k) {
    const unsigned inner_trips = in[(rank() + k * 977) & last] % trips_below;
#pragma unroll 1
    for (unsigned m = 0; m < inner_trips; ++m) sum += in[(rank() + k * 977 + m * 131) & last];
  }
  out[rank()] = sum;
}

__global__ void divergent_branches(const unsigned* in, unsigned* out, unsigned trips) {
  const unsigned threads = gridDim.x * blockDim.x;
  if (in[rank()] & 1) {
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned k = 0; k < trips; ++k) sum += in[(rank() + k * 977) & last];
    out[rank()] = sum;
  } else {
#pragma unroll 1
    for (unsigned k = 0; k < trips; ++k) out[rank() + k * threads] = k;
  }
}

__global__ void early_return(const unsigned* in, unsigned* out, unsigned rounds) {
  const unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (unsigned k = 0; k < rounds; ++k) {
    const unsigned value = in[rank() + k * threads];
    if (value % 4 == 0) return;
    out[rank() + k * threads] = value;
  }
}

const Kernel control_flow_kernels[] = {
    {"conditional_copy_2", 2, &launch<conditional_copy>},
    {"conditional_copy_40", 40, &launch<conditional_copy>},
    {"divergent_loop", 17, &launch<divergent_loop>},
    {"divergent_nested_loops", 6, &launch<divergent_nested_loops>},
    {"divergent_branches", 5, &launch<divergent_branches>},
    {"early_return", 12, &launch<early_return>},
};

}  // namespace

}  // namespace golden
