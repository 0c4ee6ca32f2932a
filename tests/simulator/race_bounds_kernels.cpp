// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

__global__ void write_in_turn(unsigned stride, unsigned* out, unsigned* far, unsigned* near,
                              unsigned* within) {
  const unsigned last = gridDim.x - 1;
  if (threadIdx.x == 0 && (blockIdx.x == 0 || blockIdx.x == last)) *far = blockIdx.x;
  if (threadIdx.x == 0 && blockIdx.x >= last - 1) *near = blockIdx.x;
  if (threadIdx.x % 32 == 0 && blockIdx.x == last) *within = threadIdx.x;
  out[(blockIdx.x * blockDim.x + threadIdx.x) * stride] = blockIdx.x;
}

__global__ void write_between_barriers(unsigned rounds, unsigned* out, unsigned* far, unsigned* within) {
  if (threadIdx.x == 0 && blockIdx.x == 0) *far = 1;
  if (blockIdx.x == 0) return;
  for (unsigned round = 0; round < rounds; ++round) {
    out[round * blockDim.x + threadIdx.x] = round;
    __syncthreads();
  }
  if (threadIdx.x == 0) *far = 2;
  *within = threadIdx.x / 32;
  for (unsigned round = 0; round < rounds; ++round) out[round * blockDim.x + threadIdx.x] = round;
  if (threadIdx.x == 0) *within = 2;
}

__global__ void meet(unsigned first_writer, unsigned* counter, unsigned* between, unsigned* within) {
  if (threadIdx.x == 0) {
    if (blockIdx.x >= first_writer) *between = blockIdx.x;
    __threadfence();
    atomicAdd(counter, 1u);
  }
  if (threadIdx.x % 32 == 0 && blockIdx.x == gridDim.x - 1) *within = threadIdx.x;
}

__global__ void sum_when_all_have_come(unsigned* values, unsigned* counter, unsigned* sum) {
  if (threadIdx.x > 0) return;
  values[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(counter, 1u) != gridDim.x - 1) return;
  __threadfence();
  for (unsigned block = 0; block < gridDim.x; ++block) *sum += values[block];
}
