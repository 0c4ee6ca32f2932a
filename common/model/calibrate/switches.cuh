// SPDX-License-Identifier: MIT
// Switches, of which the lanes of a warp go several ways.
#pragma once

#include "model/calibrate/measurement.cuh"

namespace calibrate {

// Eight ways, of which a warp's lanes go as many as `ways` says. The compiler makes jumps through a table of
// it: three, and branches between them, when this was written.
static __global__ void switches(unsigned ways, unsigned zero, long long* ticks) {
  unsigned counts[8] = {};
  unsigned way = threadIdx.x % 32 * ways / 32;
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < repeats; ++i) {
    switch (way) {
      case 0:
        ++counts[0];
        break;
      case 1:
        ++counts[1];
        break;
      case 2:
        ++counts[2];
        break;
      case 3:
        ++counts[3];
        break;
      case 4:
        ++counts[4];
        break;
      case 5:
        ++counts[5];
        break;
      case 6:
        ++counts[6];
        break;
      case 7:
        ++counts[7];
        break;
      default:
        break;
    }
    way += zero;
  }
  const long long end = clock64();
  unsigned all = 0;
  for (int i = 0; i < 8; ++i) all = 3 * all + counts[i];
  if (all == 1) sink = all;
  if (threadIdx.x == 0) *ticks = end - begin;
}

inline void switch_parts() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned warps : {1u, 8u, 16u, 32u}) {
    for (unsigned ways : {1u, 2u, 4u, 8u}) {
      for (int i = 0; i < 2; ++i) switches<<<1, warps * 32>>>(ways, 0, ticks);
      need(cudaDeviceSynchronize());
      say("switch", {{"ways", double(ways)}, {"warps", double(warps)}}, "cycles", double(*ticks) / repeats);
    }
  }
  cudaFree(ticks);
}

}  // namespace calibrate
