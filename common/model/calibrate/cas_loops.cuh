// SPDX-License-Identifier: MIT
// Atomics that are loops of compare-and-swaps in shared memory.
#pragma once

#include "model/calibrate/measurement.cuh"

namespace calibrate {

// All warps change the same words; each word is that of `lanes_a_word` neighbouring lanes.
template <class T>
__global__ void cas_loops(unsigned lanes_a_word, long long* ticks) {
  __shared__ T words[32];
  const unsigned lane = threadIdx.x % 32;
  words[lane] = 0;
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < repeats; ++i) atomicAdd(&words[lane / lanes_a_word], T(3));
  __syncthreads();
  const long long end = clock64();
  if (words[lane] == T(1)) sink = lane;
  if (threadIdx.x == 0) *ticks = end - begin;
}

template <class T>
void cas_loops_of() {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned lanes_a_word : {1u, 4u, 32u}) {
    for (unsigned warps : {1u, 2u, 8u, 32u}) {
      for (int i = 0; i < 2; ++i) cas_loops<T><<<1, warps * 32>>>(lanes_a_word, ticks);
      need(cudaDeviceSynchronize());
      say("cas_loop",
          {{"bytes", double(sizeof(T))}, {"lanes_a_word", double(lanes_a_word)}, {"warps", double(warps)}},
          "cycles", double(*ticks) / (double(repeats) * warps));
    }
  }
  cudaFree(ticks);
}

inline void cas_loop_parts() {
  cas_loops_of<float>();
  cas_loops_of<unsigned long long>();
}

}  // namespace calibrate
