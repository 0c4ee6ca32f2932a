// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

__global__ void every_step(const unsigned char* in, unsigned* out) {
  __shared__ unsigned words[64];
  const unsigned i = threadIdx.x;
  words[i ^ 31] = in[2 * i];
  __syncwarp();
  if (i % 3 == 0) atomicAdd(&words[i], 1u);
  __syncthreads();
  atomicMax(&out[blockIdx.x], words[0]);
}

__global__ void write_either(bool (*to_second)(unsigned lane), unsigned* first, unsigned* second) {
  unsigned* const where = to_second(threadIdx.x) ? second : first;
  where[threadIdx.x] = 1;
}

__global__ void follow(const unsigned* next, unsigned steps, unsigned* out) {
  unsigned at = threadIdx.x;
  for (unsigned i = 0; i < steps; ++i) at = next[at];
  out[threadIdx.x] = at;
}
