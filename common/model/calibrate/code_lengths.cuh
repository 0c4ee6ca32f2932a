// SPDX-License-Identifier: MIT
// Code that is longer than what a scheduler keeps of it.
#pragma once

#include <algorithm>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

// A loop of so many instructions, of 16 bytes each, four of which do not wait for each other. 4,096 is the
// most: nvcc takes minutes for longer ones.
template <unsigned count>
__global__ void straight_code(float a, float b, unsigned turns, long long* ticks) {
  float x[4] = {a, b, a + b, a - b};
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 1
  for (unsigned turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (unsigned i = 0; i < count; ++i)
      asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[i % 4]) : "f"(a), "f"(b));
  }
  __syncthreads();
  const long long end = clock64();
  const float sum = x[0] + x[1] + x[2] + x[3];
  if (sum == 12345.0f) sink = 1;
  if (threadIdx.x == 0 && blockIdx.x == 0) *ticks = end - begin;
}

template <unsigned count>
void code_of() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  const unsigned turns = std::max(8u, 65536 / count);
  for (unsigned blocks : {1u, multiprocessors()}) {
    for (unsigned warps : {1u, 4u, 8u, 16u, 32u}) {
      for (int i = 0; i < 2; ++i) straight_code<count><<<blocks, warps * 32>>>(1, 2, turns, ticks);
      need(cudaDeviceSynchronize());
      say("code", {{"instructions", double(count)}, {"blocks", double(blocks)}, {"warps", double(warps)}},
          "cycles", double(*ticks) / (double(turns) * count * warps));
    }
  }
  cudaFree(ticks);
}

inline void code_lengths() {
  code_of<256>();
  code_of<512>();
  code_of<768>();
  code_of<1024>();
  code_of<1536>();
  code_of<2048>();
  code_of<3072>();
  code_of<4096>();
}

}  // namespace calibrate
