// SPDX-License-Identifier: MIT
// Loads of constant memory, of which the lanes of a warp want different words.
#pragma once

#include "model/calibrate/measurement.cuh"

namespace calibrate {

static __constant__ unsigned constant_words[64];

// Each load's place depends on what the one before has found, which is zero.
static __global__ void constant_loads(unsigned words, long long* ticks) {
  unsigned at = threadIdx.x % 32 % words;
  const long long begin = clock64();
#pragma unroll 4
  for (unsigned i = 0; i < repeats; ++i) at += constant_words[at];
  __syncthreads();
  const long long end = clock64();
  if (at == repeats) sink = at;
  if (threadIdx.x == 0) *ticks = end - begin;
}

inline void constant_parts() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned warps : {1u, 8u, 32u}) {
    for (unsigned words : {1u, 4u, 16u, 32u}) {
      for (int i = 0; i < 2; ++i) constant_loads<<<1, warps * 32>>>(words, ticks);
      need(cudaDeviceSynchronize());
      say("constant", {{"words", double(words)}, {"warps", double(warps)}}, "cycles",
          double(*ticks) / (double(repeats) * warps));
    }
  }
  cudaFree(ticks);
}

}  // namespace calibrate
