// SPDX-License-Identifier: MIT
// Threads that wait for others which never come.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

// A barrier that only those with work reach.
template <bool defect>
__global__ void barrier_inside_if(const unsigned* in, unsigned* out) {
  __shared__ unsigned cells[64];
  cells[threadIdx.x] = in[threadIdx.x];
  if constexpr (!defect) __syncthreads();
  if (threadIdx.x < 32) {
    if constexpr (defect) __syncthreads();  // DEFECT
    out[threadIdx.x] = cells[threadIdx.x];
  }
}

// A barrier in either branch is no common barrier.
template <bool defect>
__global__ void barriers_in_both_branches(unsigned* out) {
  unsigned value = 0;
  if (threadIdx.x % 2 == 0) {
    value = 2 * threadIdx.x;
    if constexpr (defect) __syncthreads();  // DEFECT
  } else {
    value = threadIdx.x + 100;
    if constexpr (defect) __syncthreads();  // OTHER
  }
  if constexpr (!defect) __syncthreads();
  out[threadIdx.x] = value;
}

// Threads go round a different number of times.
template <bool defect>
__global__ void barrier_in_uneven_loop(unsigned n, unsigned* out) {
  __shared__ unsigned rounds;
  if (threadIdx.x == 0) rounds = 0;
  __syncthreads();
  const unsigned end = defect ? n : (n + blockDim.x - 1) / blockDim.x * blockDim.x;
  for (unsigned i = threadIdx.x; i < end; i += blockDim.x) {
    if (i < n) atomicAdd(&rounds, 1u);
    __syncthreads();  // DEFECT
  }
  if constexpr (defect) __syncthreads();  // OTHER
  if (threadIdx.x == 0) *out = rounds;
}

// Threads beyond the end leave before the barrier.
template <bool defect>
__global__ void return_before_barrier(const unsigned* in, unsigned n, unsigned* out) {
  __shared__ unsigned sum;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (defect && i >= n) return;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();  // DEFECT
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();  // OTHER
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Counting barriers at two places count together, if anything.
template <bool defect>
__global__ void counts_at_two_places(const int* in, int* out) {
  const int value = in[threadIdx.x];
  int count = 0;
  if (defect && threadIdx.x < 40) {
    count = __syncthreads_count(value > 0);  // DEFECT
  } else {
    count = __syncthreads_count(value > 1);  // OTHER
  }
  out[threadIdx.x] = count;
}

// Waits for a flag that nobody sets.
template <bool defect>
__global__ void wait_for_flag(unsigned* flag, unsigned* out) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0u) == 0) {  // DEFECT
    }
    *out = 5;
  } else if (!defect && threadIdx.x == 32) {
    atomicExch(flag, 1u);
  }
}

// The first block waits for the last one, which need not run at the same time; to wait for one before is
// possible if blocks take their numbers in the order in which they start.
template <bool defect>
__global__ void wait_for_other_block(unsigned* turn, unsigned* order) {
  const unsigned mine = defect ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
  if (threadIdx.x > 0) return;
  while (atomicCAS(turn, mine, mine) != mine) __nanosleep(100);  // DEFECT
  __threadfence();
  order[mine] = blockIdx.x;
  __threadfence();
  atomicExch(turn, mine + 1);
}

// Who holds the lock waits at the barrier for those who want it.
template <bool defect>
__global__ void lock_across_barrier(unsigned* lock, unsigned* out) {
  __shared__ unsigned last;
  if (threadIdx.x == 0) last = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0u, 1u) != 0) {  // DEFECT
    }
    atomicMax(&last, threadIdx.x);
    if constexpr (!defect) atomicExch(lock, 0u);
  }
  __syncthreads();  // OTHER
  if constexpr (defect) atomicExch(lock, 0u);
  if (threadIdx.x == 0) *out = last;
}

// The whole warp waits in step for a sign of another warp that has left.
template <bool defect>
__global__ void spin_in_step(unsigned* ready, unsigned* out) {
  const bool producer = threadIdx.x / 32 == 1;
  if (producer) {
    if (!defect && threadIdx.x == 63) atomicAdd(ready, 1u);
    return;
  }
  unsigned seen = 0;
  while (seen == 0) {
    if (threadIdx.x == 0) seen = atomicAdd(ready, 0u);  // DEFECT
    seen = __shfl_sync(0xffffffffu, seen, 0);
  }
  out[threadIdx.x] = seen;
}

// All warps go round the barrier until somebody has found what is not there.
template <bool defect>
__global__ void search_with_barriers(const unsigned* in, unsigned n, unsigned wanted, unsigned* where) {
  for (unsigned i = threadIdx.x;; i += blockDim.x) {
    const unsigned at = i % n;
    if (in[at] == wanted) atomicExch(where, at);
    const bool given_up = !defect && i >= n + threadIdx.x;
    if (__syncthreads_or(in[at] == wanted || given_up)) return;  // DEFECT
  }
}

BOTH(barrier_inside_if, const unsigned*, unsigned*);
BOTH(barriers_in_both_branches, unsigned*);
BOTH(barrier_in_uneven_loop, unsigned, unsigned*);
BOTH(return_before_barrier, const unsigned*, unsigned, unsigned*);
BOTH(counts_at_two_places, const int*, int*);
BOTH(wait_for_flag, unsigned*, unsigned*);
BOTH(wait_for_other_block, unsigned*, unsigned*);
BOTH(lock_across_barrier, unsigned*, unsigned*);
BOTH(spin_in_step, unsigned*, unsigned*);
BOTH(search_with_barriers, const unsigned*, unsigned, unsigned, unsigned*);
