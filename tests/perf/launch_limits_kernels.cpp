// SPDX-License-Identifier: MIT
#include "launch_limits_kernels.hpp"

#include "simulator/cuda/cuda.hpp"

namespace {

__device__ unsigned rank() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace

void touch_once(unsigned* words, unsigned count) { atomicAdd(&words[rank() % count], 1u); }

void read_many(const unsigned* words, unsigned count, unsigned rounds, unsigned* out) {
  unsigned sum = 0, at = rank() % count;
  for (unsigned i = 0; i < rounds; ++i) {
    sum += words[at];
    at = at + 1 < count ? at + 1 : 0;
  }
  out[threadIdx.x] = sum;
}

void take_turns(unsigned* words, unsigned* tickets) {
  words[rank() % 1024] = 0;
  __threadfence();
  atomicAdd(tickets, 1u);
  atomicAdd(&tickets[1 + threadIdx.x % 32], 1u);
}

void share_and_wait(unsigned* words) {
  __shared__ unsigned counts[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  atomicAdd(&counts[threadIdx.x % 256], 1u);
  __syncthreads();
  if (threadIdx.x < 256) atomicAdd(&words[threadIdx.x], counts[threadIdx.x]);
}

void race_everywhere(unsigned* words, unsigned count) { words[rank() % count] = rank(); }
