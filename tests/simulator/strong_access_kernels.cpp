// SPDX-License-Identifier: MIT
// Rules of docs/checkers.md, "The memory model", of atomics and volatile accesses that meet without an order:
// each kernel is right with `legal`, and breaks the rule without it.
#include "kernels.hpp"
#include "simulator/cuda/atomic_ref.hpp"

// Volatile loads and stores of one word are no race; plain ones are.
__global__ void announce(bool legal, unsigned* last, unsigned*, unsigned* out) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  if (legal) {
    *static_cast<volatile unsigned*>(last) = rank;
    out[rank] = *static_cast<volatile unsigned*>(last);
  } else {
    *last = rank;
    out[rank] = rank;
  }
}

// Each thread of the second warp adds to what one of the first has stored: what is missing is a barrier.
__global__ void add_to_what_another_wrote(bool legal, unsigned* values, unsigned*, unsigned*) {
  if (threadIdx.x < 32) values[threadIdx.x] = threadIdx.x;
  if (legal) __syncthreads();
  if (threadIdx.x >= 32) values[threadIdx.x - 32] += 1;
}

__global__ void count_volatile(bool legal, unsigned* counter, unsigned*, unsigned*) {
  if (legal) {
    atomicAdd(counter, 1u);
  } else {
    volatile unsigned* const word = counter;
    *word = *word + 1;
  }
}

__global__ void count_relaxed(bool legal, unsigned* counter, unsigned*, unsigned*) {
  if (legal) {
    __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  }
}

__global__ void count_in_order(bool legal, unsigned* counter, unsigned*, unsigned*) {
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> word(*counter);
  if (legal) {
    word.fetch_add(1);
  } else {
    word.store(word.load() + 1);
  }
}

__global__ void count_by_exchange(bool legal, unsigned* counter, unsigned*, unsigned*) {
  if (legal) {
    // Another call than below: clang would make the two one, and in a basic block of its own.
    unsigned seen = 0, found = atomicOr(counter, 0u);
    do {
      seen = found;
      found = atomicCAS(counter, seen, seen + 1);
    } while (found != seen);
  } else {
    atomicExch(counter, atomicAdd(counter, 0u) + 1);
  }
}

__global__ void count_for_block(bool legal, unsigned* counters, unsigned*, unsigned*) {
  atomicAdd_block(&counters[legal ? blockIdx.x : 0], 1u);
}

// Atomics of one word, or of two words and of one of these.
__global__ void count_long_and_short(bool legal, unsigned* counters, unsigned*, unsigned*) {
  if (legal || threadIdx.x % 2 == 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(counters), 1ull);
  else
    atomicAdd(counters, 1u);
}

__global__ void count_short_and_half(bool legal, unsigned* counters, unsigned*, unsigned*) {
  if (legal || threadIdx.x % 2 == 0)
    atomicAdd(counters, 1u);
  else
    atomicCAS(reinterpret_cast<unsigned short*>(counters), static_cast<unsigned short>(0),
              static_cast<unsigned short>(1));
}

// Each size behind a barrier of its own.
__global__ void count_long_then_short(bool legal, unsigned* counters, unsigned*, unsigned*) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1ull);
  if (legal) __syncthreads();
  atomicAdd(reinterpret_cast<unsigned*>(&sum), 1u);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(counters, static_cast<unsigned>(sum));
}

// As the CUDA C++ Programming Guide makes an atomic of its own.
__global__ void maximum_by_swap(bool legal, unsigned* largest, unsigned* values, unsigned*) {
  const unsigned value = values[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned old = *largest, assumed = 0;
  if (!legal) {
    if (old < value) atomicExch(largest, value);
    return;
  }
  do {
    assumed = old;
    old = atomicCAS(largest, assumed, assumed < value ? value : assumed);
  } while (assumed != old);
}
