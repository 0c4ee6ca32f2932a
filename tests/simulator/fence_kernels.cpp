// SPDX-License-Identifier: MIT
// Rules of docs/checkers.md, "The memory model", of fences with strong accesses: each kernel is right with
// `legal`, and breaks the rule without it.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

__device__ bool is_first() { return threadIdx.x == 0; }

}  // namespace

__global__ void fence_before_atomic(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  if (!is_first()) return;
  partial[blockIdx.x] = blockIdx.x;
  if (legal) __threadfence();
  const unsigned rank = atomicInc(done, gridDim.x);
  __threadfence();
  if (rank != gridDim.x - 1) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block];
}

__global__ void write_before_fence(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  if (!is_first()) return;
  if (legal) partial[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (!legal) partial[blockIdx.x] = blockIdx.x;
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  __threadfence();
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block];
}

// What all threads of a block have written, its first one passes on.
__global__ void pass_on_behind_barrier(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  partial[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (legal) __syncthreads();
  if (!is_first()) return;
  __threadfence();
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  __threadfence();
  for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) *out += partial[i];
}

__global__ void pass_on_behind_warp_barrier(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  partial[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (legal) __syncwarp();
  if (!is_first()) return;
  __threadfence();
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  __threadfence();
  for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) *out += partial[i];
}

// Each thread fences for itself, before a barrier.
__global__ void fence_each(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  __shared__ bool is_last;
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  if (legal) partial[rank] = 1;
  __threadfence();
  if (!legal) partial[rank] = 1;
  __syncthreads();
  if (is_first()) is_last = atomicAdd(done, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  if (is_first())
    for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) *out += partial[i];
}

// Each lane fences for itself, before a barrier of its warp.
__global__ void fence_each_lane(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  if (legal) partial[rank] = 1;
  __threadfence();
  if (!legal) partial[rank] = 1;
  __syncwarp();
  if (!is_first() || atomicAdd(done, 1u) != gridDim.x - 1) return;
  __threadfence();
  for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) *out += partial[i];
}

// The same within a block: the second warp waits for the first one's flag.
__global__ void fence_each_lane_of_block(bool legal, unsigned* partial, unsigned* flag, unsigned* out) {
  volatile unsigned* const is_done = flag;
  if (threadIdx.x < 32) {
    partial[threadIdx.x] = 1;
    if (legal) __threadfence_block();
    __syncwarp();
    if (threadIdx.x == 0) *is_done = 1;
  } else {
    while (*is_done == 0) {
    }
    __threadfence_block();
    if (threadIdx.x == 32)
      for (unsigned i = 0; i < 32; ++i) *out += partial[i];
  }
}

// The second block waits for the first one's flag.
__global__ void wait_for_volatile_flag(bool legal, unsigned* value, volatile unsigned* flag, unsigned* out) {
  if (!is_first()) return;
  if (blockIdx.x == 0) {
    *value = 7;
    if (legal) __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *value;
  }
}

// The second warp waits for the first one's flag.
__global__ void wait_for_flag_of_warp(bool legal, unsigned*, volatile unsigned*, unsigned* out) {
  __shared__ unsigned value;
  __shared__ volatile unsigned flag;
  if (is_first()) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 7;
    if (legal) __threadfence_block();
    flag = 1;
  } else if (threadIdx.x == 32) {
    while (flag == 0) {
    }
    __threadfence_block();
    *out = value;
  }
}

// All threads come, in one word; those of the first warp wait for all. A fence before one's own coming orders
// nothing behind the loads that follow.
__global__ void wait_for_all_of_block(bool legal, unsigned* memory, unsigned*, unsigned* out) {
  __shared__ unsigned came;
  if (threadIdx.x == 0) came = 0;
  __syncthreads();
  memory[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  atomicAdd(&came, 1u);
  if (threadIdx.x >= 32) return;
  while (*static_cast<volatile unsigned*>(&came) != blockDim.x) {
  }
  if (legal) __threadfence_block();
  if (threadIdx.x == 0) *out = memory[blockDim.x - 1];
}

// Many words, each with a lock of its own.
__global__ void add_in_turn_to_many(bool legal, unsigned* sums, unsigned* locks, unsigned*) {
  __shared__ unsigned within[256], lock[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) within[i] = lock[i] = 0;
  __syncthreads();
  const unsigned which = threadIdx.x * 5 % 64 * (blockIdx.x + 3) % 256;
  for (bool is_done = false; !is_done;) {
    if (atomicCAS(&lock[which], 0u, 1u) != 0) continue;
    __threadfence_block();
    within[which] = within[which] + 1;
    if (legal) __threadfence_block();
    atomicExch(&lock[which], 0u);
    is_done = true;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&sums[i], within[i]);
  atomicMax(locks, blockIdx.x);
}

// A fence for the block says nothing to another block.
__global__ void fence_for_device(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  if (!is_first()) return;
  partial[blockIdx.x] = blockIdx.x;
  legal ? __threadfence() : __threadfence_block();
  if (atomicAdd(done, 1u) != gridDim.x - 1) return;
  __threadfence();
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block];
}

// The threads of a block, and of each warp, add in turn.
__global__ void add_in_turn(bool legal, unsigned* sum, unsigned* lock, unsigned*) {
  bool is_done = false;
  while (!is_done) {
    if (atomicCAS(lock, 0u, 1u) != 0) continue;
    if (legal) __threadfence();
    *sum = *sum + 1;
    if (legal) __threadfence();
    atomicExch(lock, 0u);
    is_done = true;
  }
}

// What the second block has from the first it hands to the third, by another word.
__global__ void hand_on(bool legal, unsigned* value, volatile unsigned* flags, unsigned* out) {
  if (!is_first()) return;
  if (blockIdx.x == 0) {
    *value = 7;
    if (legal) __threadfence();
    flags[0] = 1;
    return;
  }
  while (flags[blockIdx.x - 1] == 0) {
  }
  __threadfence();
  flags[blockIdx.x] = 1;
  if (blockIdx.x == 2) *out = *value;
}

// A value within the flag's word is handed over with it; one that stands beside it needs a fence.
__global__ void value_in_flag(bool legal, unsigned* value, volatile unsigned* flag, unsigned* out) {
  if (!is_first()) return;
  auto* const both = reinterpret_cast<volatile unsigned long long*>(value);
  if (blockIdx.x == 0) {
    if (legal) {
      *both = 1ull << 32 | 7;
    } else {
      *value = 7;
      *flag = 1;
    }
  } else if (legal) {
    unsigned long long seen = 0;
    while (seen >> 32 == 0) seen = *both;
    *out = static_cast<unsigned>(seen);
  } else {
    while (*flag == 0) {
    }
    *out = *value;
  }
}
