// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

unsigned position_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
unsigned block_threads() { return blockDim.x * blockDim.y * blockDim.z; }
unsigned rank() { return blockIdx.x * block_threads() + position_in_block(); }

// What a barrier counts that the thread comes to so many calls deeper; -1 if its local variables have
// changed.
__noinline__ int meet(unsigned depth, int predicate) {
  volatile unsigned own[2] = {depth, threadIdx.x};
  const int count = depth > 0 ? meet(depth - 1, predicate) : __syncthreads_count(predicate);
  return own[0] == depth && own[1] == threadIdx.x ? count : -1;
}

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

__global__ void barriers_in_calls(int* out) {
  out[2 * rank()] = meet(threadIdx.x % 5, threadIdx.x % 2);
  out[2 * rank() + 1] = meet(threadIdx.x % 3, threadIdx.x % 3 == 0);
}

__global__ void part_around_barriers(unsigned early, unsigned late, unsigned* out, long long* clocks) {
  const unsigned lane = threadIdx.x % warpSize;
  if (early >> lane & 1) out[rank()] = 1;
  __syncthreads();
  __syncthreads();
  clocks[rank()] = clock64();
  if (late >> lane & 1) out[rank()] += 2;
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

// Two warps that go on in turns, each waiting for the other's word.
__global__ void go_in_turns(int how, unsigned rounds, unsigned* words, unsigned* out) {
  volatile unsigned* const said = words;
  const unsigned warp = threadIdx.x / 32;
  for (unsigned round = 1; round <= rounds; ++round) {
    const unsigned wanted = warp == 0 ? round - 1 : round;
    if (how == 0) {
      while (said[1 - warp] != wanted) {
      }
    } else if (how == 1) {
      while (atomicAdd(&words[1 - warp], 0) != wanted) __nanosleep(20);
    } else {  // for either of two words
      while (said[1 - warp] != wanted && said[2] == 0) __threadfence_block();
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) said[warp] = round;
    __syncwarp();
  }
  out[threadIdx.x] = rounds;
}

// One thread holds a lock for long, in which it looks at memory without changing it; all others wait for it.
__global__ void wait_for_lock(const unsigned* in, unsigned long_time, unsigned* lock, unsigned* out) {
  const bool holds = threadIdx.x == 0;
  if (holds) atomicExch(lock, 1);
  __syncthreads();
  if (holds) {
    unsigned sum = 0;
    for (unsigned i = 0; i < long_time; ++i) sum += *static_cast<const volatile unsigned*>(&in[i % 64]);
    out[0] = sum;
    atomicExch(lock, 0);
  } else if (threadIdx.x >= 32) {
    while (atomicExch(lock, 1) != 0) {
    }
    ++out[1];
    atomicExch(lock, 0);
  }
}

// One thread gives up after so many looks, and then sets what the other one waits for.
__global__ void look_so_often(volatile unsigned* flag, volatile unsigned* stop, unsigned looks,
                              unsigned* out) {
  if (threadIdx.x == 0) {
    unsigned seen = 0;
    for (unsigned look = 0; look < looks; ++look) seen += *flag == 0;
    out[0] = seen;
    *stop = 1;
  } else if (threadIdx.x == 32) {
    unsigned steps = 0;
    while (*stop == 0) flag[1] = ++steps;
    out[1] = 1;
  }
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
