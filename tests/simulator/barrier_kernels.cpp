// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

unsigned position_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
unsigned rank() { return blockIdx.x * block_threads() + position_in_block(); }

}  // namespace

__global__ void rotate(unsigned distance, unsigned* out) {
  __shared__ unsigned values[1024];
  const unsigned self = position_in_block(), threads = block_threads();
  unsigned value = self;
  for (int round = 0; round < 3; ++round) {
    values[self] = value;
    __syncthreads();
    value = values[(self + distance) % threads];
    __syncthreads();
  }
  out[rank()] = value;
}

__global__ void barrier_reductions(unsigned below, int* out) {
  const int predicate = threadIdx.x < below ? 2 : 0;
  out[3 * rank()] = __syncthreads_count(predicate);
  out[3 * rank() + 1] = __syncthreads_and(predicate);
  out[3 * rank() + 2] = __syncthreads_or(predicate);
}

__global__ void barrier_in_branches(unsigned border, unsigned block, unsigned* out) {
  if (blockIdx.x == block && position_in_block() >= border) {
    __syncthreads();
    out[rank()] = 2;
  } else {
    __syncthreads();
    out[rank()] = 1;
  }
}

__global__ void barrier_after_return(unsigned returning, unsigned* out) {
  if (position_in_block() < returning) return;
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    ++out[rank()];
  }
}

__global__ void warp_waits_for_barrier(unsigned* out) {
  if (threadIdx.x == 0) {
    __syncthreads();
  } else {
    __syncwarp();
  }
  out[rank()] = 1;
}

__global__ void different_operations(unsigned* out) {
  if (threadIdx.x < 16) {
    out[rank()] = __ballot_sync(0xffffffffu, 1);
  } else {
    out[rank()] = __shfl_sync(0xffffffffu, 1u, 0);
  }
}

__global__ void different_masks(unsigned* out) {
  const unsigned mask = threadIdx.x == 0 || threadIdx.x == 31 ? 0xffffffffu : 0x7fffffffu;
  out[rank()] = __ballot_sync(mask, 1);
}

__global__ void spin_until_set(volatile unsigned* flag, unsigned setter, unsigned* out) {
  if (threadIdx.x == setter) {
    *flag = 5;
  } else {
    while (*flag == 0) __nanosleep(1);
  }
  out[rank()] = *flag;
}

__global__ void spin_beside_active_mask(volatile unsigned* flag, unsigned* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    out[0] = *flag;
  } else {
    out[1] = __activemask();
    *flag = 5;
  }
}
