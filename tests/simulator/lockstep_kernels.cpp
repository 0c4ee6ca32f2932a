// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

__global__ void count_plainly(unsigned bins, unsigned* histo) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  ++histo[rank % bins];
}

__global__ void count_plainly_in_shared(unsigned* sums) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  ++count;
  __syncthreads();
  sums[blockIdx.x] =
      count;  // by each thread: the same condition again would let clang make two barriers of the first
}

__global__ void count_in_shared(unsigned bins, unsigned* histo) {
  __shared__ unsigned counts[64];
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  atomicAdd(&counts[threadIdx.x % bins], blockIdx.x + 1);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) atomicAdd(&histo[bin], counts[bin]);
}

__global__ void order_of_blocks(unsigned* clock, unsigned* began, unsigned* ended) {
  began[blockIdx.x] = atomicAdd(clock, 1u);
  ended[blockIdx.x] = atomicAdd(clock, 1u);
}

__global__ void count_by_swap(bool repeated, unsigned* word) {
  for (;;) {
    const unsigned seen = *word;
    if (atomicCAS(word, seen, seen + 1) == seen || !repeated) return;
  }
}

__global__ void count_by_stale_swap(bool bounded, unsigned* word) {
  const unsigned seen = *word;
  for (unsigned tries = 0; atomicCAS(word, seen, seen + 1) != seen; ++tries) {
    if (bounded && tries == 100) return;
  }
}

__global__ void count_lanes_of_each_round(bool together, unsigned* counts) {
  for (unsigned round = 0; round < 4; ++round) {
    if (!together && threadIdx.x % 4 != round) continue;
    const unsigned lanes = __activemask();
    if (__ffs(static_cast<int>(lanes)) - 1 == static_cast<int>(threadIdx.x))
      atomicAdd(&counts[round], static_cast<unsigned>(__popc(lanes)));
  }
}

__global__ void fence_behind_barrier(unsigned* partial, unsigned* flag, unsigned* out) {
  __syncthreads();
  partial[threadIdx.x] = 1;
  __threadfence();
  __syncwarp();
  if (threadIdx.x % 32 != 0 || atomicAdd(flag, 32u) != blockDim.x - 32) return;
  __threadfence();
  for (unsigned i = 0; i < blockDim.x; ++i) *out += partial[i];
}
