// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

unsigned position_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

unsigned rank() {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  return block * blockDim.x * blockDim.y * blockDim.z + position_in_block();
}

}  // namespace

__global__ void record_place(Place* out) {
  Place& place = out[rank()];
  place.thread = threadIdx;
  place.block = blockIdx;
  place.block_extent = blockDim;
  place.grid_extent = gridDim;
  ++place.visits;
}

__global__ void copy_vectors(const uint4* in, uint4* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void copy_records(const Record* in, Record* out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void clear_records(Record* out) { out[threadIdx.x] = Record{}; }

__global__ void mark(unsigned* out) { ++out[rank()]; }

__global__ void draw_by_warps(unsigned* counter, unsigned end, unsigned* owner) {
  const unsigned lane = threadIdx.x % 32;
  for (;;) {
    unsigned drawn = 0;
    if (lane == 0) drawn = atomicAdd(counter, 1u);
    drawn = __shfl_sync(~0u, drawn, 0);
    if (drawn >= end) break;
    if (lane == 0) owner[drawn] = threadIdx.x / 32;
  }
}

__global__ void draw_by_threads(unsigned* counter, unsigned end, unsigned* owner) {
  for (unsigned drawn = atomicAdd(counter, 1u); drawn < end; drawn = atomicAdd(counter, 1u))
    owner[drawn] = threadIdx.x;
}

__global__ void mark_after_atomic(unsigned* word, unsigned who, unsigned* out) {
  if (threadIdx.x == who) atomicAdd(word, 1u);
  ++out[rank()];
}

__global__ void mark_unless_below(unsigned first, unsigned* out) {
  if (position_in_block() < first) return;
  ++out[rank()];
}

__global__ void work_for_counters(unsigned* counter) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1u);
  atomicMax(&count, 1u);
  atomicCAS(&count, 0u, 1u);
  __syncthreads_or(1);
  if (threadIdx.x % 2 == 0) atomicAdd(counter, 1u);
}

__global__ void compiler_atomics(unsigned* word, unsigned* out) {
  __atomic_store_n(word, 12u, __ATOMIC_RELAXED);
  out[0] = __atomic_load_n(word, __ATOMIC_RELAXED);
  out[1] = __atomic_fetch_add(word, 3u, __ATOMIC_SEQ_CST);
  out[2] = __atomic_fetch_sub(word, 5u, __ATOMIC_SEQ_CST);
  out[3] = __atomic_fetch_or(word, 5u, __ATOMIC_SEQ_CST);
  out[4] = __atomic_fetch_and(word, 6u, __ATOMIC_SEQ_CST);
  out[5] = __atomic_fetch_xor(word, 3u, __ATOMIC_SEQ_CST);
  out[6] = __atomic_exchange_n(word, 40u, __ATOMIC_SEQ_CST);
  unsigned expected = 39;
  out[7] = __atomic_compare_exchange_n(word, &expected, 41u, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  out[8] = expected;
  out[9] = __atomic_fetch_nand(word, 9u, __ATOMIC_SEQ_CST);
}

// Not optimised away: the counter is volatile.
__global__ void idle(unsigned rounds) {
  volatile unsigned done = 0;
  while (done < rounds) {
    const unsigned next = done + 1;
    done = next;
  }
}

// A few lanes have more to do in front of the loop.
__global__ void load_in_long_turns(const unsigned* in, unsigned turns, unsigned pause, unsigned* out) {
  unsigned sum = 0;
  idle(threadIdx.x % 8);
  for (unsigned i = 0; i < turns; ++i) {
    sum += in[(i * 32 + threadIdx.x) % 64];
    out[threadIdx.x] = sum;
    idle(pause);
  }
  out[threadIdx.x] = sum;
}

// In each turn others do.
__global__ void load_in_parted_turns(const unsigned* in, unsigned turns, unsigned pause, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < turns; ++i) {
    sum += in[(i * 32 + threadIdx.x) % 64];
    out[threadIdx.x] = sum;
    if ((i * 7 + threadIdx.x * 5) % 11 < 4)
      idle(pause);
    else
      idle(pause / 2);
  }
  out[threadIdx.x] = sum;
}

__global__ void count_without_atomics(volatile unsigned* counter, unsigned rounds, unsigned pause) {
  for (unsigned i = 0; i < rounds; ++i) {
    const unsigned count = *counter;
    idle(pause);
    *counter = count + 1;
  }
}
