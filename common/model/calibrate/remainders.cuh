// SPDX-License-Identifier: MIT
// Remainders, for which a GPU has no instruction.
#pragma once

#include "model/calibrate/measurement.cuh"

namespace calibrate {

static __global__ void remainders(unsigned divisor, long long* ticks) {
  unsigned x[2] = {threadIdx.x + 77777, threadIdx.x + 99999}, kept = 0;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned i = 0; i < repeats; i += 2) {
    const unsigned by = divisor + i;
    for (unsigned c = 0; c < 2; ++c) kept ^= x[c] % by;
  }
  __syncthreads();
  const long long end = clock64();
  if (kept == 0x12345678u) sink = kept;
  if (threadIdx.x == 0) *ticks = end - begin;
}

inline void remainder_parts() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned warps : {1u, 4u, 8u, 16u, 32u}) {
    for (int i = 0; i < 2; ++i) remainders<<<1, warps * 32>>>(1000, ticks);
    need(cudaDeviceSynchronize());
    say("remainder", {{"warps", double(warps)}}, "cycles", double(*ticks) / (double(repeats) * warps));
  }
  cudaFree(ticks);
}

}  // namespace calibrate
