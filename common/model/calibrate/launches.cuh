// SPDX-License-Identifier: MIT
// Launches: of blocks that do nothing, and of blocks with barriers.
#pragma once

#include "model/calibrate/measurement.cuh"

namespace calibrate {

static __global__ void nothing() {}

static __global__ void two_barriers(unsigned* out) {
  __shared__ unsigned count[256];
  if (threadIdx.x < 256) count[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (count[(threadIdx.x * 7) % 256] == 12345) *out = 1;
  __syncthreads();
  if (count[(threadIdx.x * 5) % 256] == 12345) *out = 1;
}

inline void launches(unsigned* memory) {
  for (unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    for (unsigned blocks : {1u, multiprocessors(), multiprocessors() * 64, 1u << 18, 1u << 20}) {
      say("empty_blocks", {{"blocks", double(blocks)}, {"threads", double(threads)}}, "ns",
          time_ns([&] { nothing<<<blocks, threads>>>(); }));
    }
    say("blocks_with_barriers", {{"blocks", double(1u << 18)}, {"threads", double(threads)}}, "ns",
        time_ns([&] { two_barriers<<<1u << 18, threads>>>(memory); }));
  }
}

}  // namespace calibrate
