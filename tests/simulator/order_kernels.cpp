// SPDX-License-Identifier: MIT
// Rules of docs/checkers.md, "The memory model": each kernel is right with `legal`, and breaks the rule
// without it.
#include "kernels.hpp"
#include "simulator/cuda/atomic_ref.hpp"

namespace {

__device__ bool is_first() { return threadIdx.x == 0; }

}  // namespace

// --- Fences and strong accesses

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

// Sorts by exchanges of pairs, a round for each distance.
__global__ void sort_in_rounds(bool legal, unsigned* memory, unsigned*, unsigned*) {
  __shared__ unsigned keys[256];
  const unsigned t = threadIdx.x;
  keys[t] = t * 37 % 256;
  __syncthreads();
  for (unsigned size = 2; size <= blockDim.x; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned other = t ^ stride;
      if (other > t) {
        const unsigned a = keys[t], b = keys[other];
        if ((a > b) == ((t & size) == 0)) keys[t] = b, keys[other] = a;
      }
      if (legal) __syncthreads();
    }
    __syncthreads();
  }
  memory[t] = keys[t];
}

// Rotates three words.
__global__ void rotate_in_rounds(bool legal, unsigned* memory, unsigned*, unsigned*) {
  __shared__ unsigned ring[260];
  const unsigned t = threadIdx.x;
  ring[t] = t;
  if (t < 4) ring[256 + t] = t;
  __syncthreads();
  for (unsigned shift = 0; shift < 3; ++shift) {
    if (t % 3 == 0) {
      const unsigned at = t + shift, first = ring[at];
      ring[at] = ring[at + 1];
      ring[at + 1] = ring[at + 2];
      ring[at + 2] = first;
    }
    if (legal) __syncthreads();
  }
  __syncthreads();
  memory[t] = ring[t];
}

// Each thread holds two words before it changes both.
__global__ void change_two_at_once(bool legal, unsigned* memory, unsigned*, unsigned*) {
  const unsigned one = threadIdx.x % 5, other = 8 + threadIdx.x % 7;
  if (legal) {
    atomicAdd(&memory[one], 1u);
    atomicAdd(&memory[other], 2u);
  } else {
    const unsigned a = memory[one], b = memory[other];
    memory[one] = a + 1;
    memory[other] = b + 2;
  }
}

// The word that says where to count is as large as the count, and may be equal to it.
__global__ void count_at_loaded_index(bool legal, unsigned* memory, unsigned* index, unsigned*) {
  const unsigned at = index[threadIdx.x];
  if (legal) {
    atomicAdd(&memory[at], 1u);
  } else {
    ++memory[at];
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

// With the compiler's atomics, of an order.
__global__ void release_and_acquire(bool legal, unsigned* value, unsigned* flag, unsigned* out) {
  if (!is_first()) return;
  if (blockIdx.x == 0) {
    *value = 7;
    if (legal) {
      __atomic_store_n(flag, 1u, __ATOMIC_RELEASE);
    } else {
      __atomic_store_n(flag, 1u, __ATOMIC_RELAXED);
    }
  } else if (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 1) {
    *out = *value;
  }
}

// Each block counts itself by an operation that releases, acquires or both; the last one reads.
template <int way>
__global__ void count_with_order(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  if (!is_first()) return;
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*done);
  partial[blockIdx.x] = blockIdx.x;
  constexpr auto wrong = way == 0   ? cuda::memory_order_release
                         : way == 1 ? cuda::memory_order_acquire
                                    : cuda::memory_order_relaxed;
  const unsigned rank = count.fetch_add(1, legal ? cuda::memory_order_acq_rel : wrong);
  if (rank != gridDim.x - 1) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block];
}
template void count_with_order<0>(bool, unsigned*, unsigned*, unsigned*);
template void count_with_order<1>(bool, unsigned*, unsigned*, unsigned*);
template void count_with_order<2>(bool, unsigned*, unsigned*, unsigned*);

// The same with a fence on each side: without `legal` the second one is another that releases, or the first
// one another that acquires.
__global__ void release_twice(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  if (!is_first()) return;
  partial[blockIdx.x] = blockIdx.x;
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  const unsigned rank = atomicAdd(done, 1u);
  cuda::atomic_thread_fence(legal ? cuda::memory_order_acquire : cuda::memory_order_release,
                            cuda::thread_scope_device);
  if (rank != gridDim.x - 1) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block];
}

__global__ void acquire_twice(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  if (!is_first()) return;
  partial[blockIdx.x] = blockIdx.x;
  cuda::atomic_thread_fence(legal ? cuda::memory_order_release : cuda::memory_order_acquire,
                            cuda::thread_scope_device);
  const unsigned rank = atomicAdd(done, 1u);
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
  if (rank != gridDim.x - 1) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block];
}

// An operation orders by its own word alone: here the flag is another one.
__global__ void release_other_word(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  if (!is_first()) return;
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(flags[0]), other(flags[1]);
  if (blockIdx.x == 0) {
    *value = 7;
    (legal ? flag : other).store(1, cuda::memory_order_release);
    flag.store(1, cuda::memory_order_relaxed);
  } else {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
    *out = *value;
  }
}

__global__ void acquire_other_word(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  if (!is_first()) return;
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> flag(flags[0]), other(flags[1]);
  if (blockIdx.x == 0) {
    *value = 7;
    other.store(1, cuda::memory_order_relaxed);
    flag.store(1, cuda::memory_order_release);
  } else {
    while (flag.load(cuda::memory_order_relaxed) == 0) {
    }
    if ((legal ? flag : other).load(cuda::memory_order_acquire) == 1) *out = *value;
  }
}

// The second block hands on what it has acquired, or has merely seen.
__global__ void hand_on_with_order(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  if (!is_first()) return;
  if (blockIdx.x == 0) {
    *value = 7;
    Flag(flags[0]).store(1, cuda::memory_order_release);
    return;
  }
  while (Flag(flags[blockIdx.x - 1])
             .load(legal || blockIdx.x == 2 ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 0) {
  }
  Flag(flags[blockIdx.x]).store(1, cuda::memory_order_release);
  if (blockIdx.x == 2) *out = *value;
}

// What stood in a word before a strong store nobody reads any more; an atomic hands it on.
__global__ void hand_on_in_word(bool legal, unsigned* value, unsigned* word, unsigned* out) {
  const cuda::atomic_ref<unsigned, cuda::thread_scope_block> flag(*word);
  if (threadIdx.x == 0) {
    *value = 3;
    flag.store(1, cuda::memory_order_release);
  } else if (threadIdx.x == 32) {
    while (flag.load(cuda::memory_order_relaxed) != 1) {
    }
    if (legal)
      flag.fetch_add(1, cuda::memory_order_relaxed);
    else
      flag.store(2, cuda::memory_order_relaxed);
  } else if (threadIdx.x == 64) {
    while (flag.load(cuda::memory_order_acquire) != 2) {
    }
    *out = *value;
  }
}

// Within the block a release for the block is enough, for what its reader then releases to other blocks.
__global__ void hand_on_from_block(bool legal, unsigned* value, unsigned* word, unsigned* out) {
  __shared__ unsigned inner;
  if (threadIdx.x == 0) inner = 0;
  __syncthreads();
  const cuda::atomic_ref<unsigned, cuda::thread_scope_block> of_block(inner);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *value = 3;
    of_block.store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    while (of_block.load(cuda::memory_order_acquire) == 0) {
    }
    if (legal)
      cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*word).store(1, cuda::memory_order_release);
    else
      cuda::atomic_ref<unsigned, cuda::thread_scope_block>(*word).store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*word).load(cuda::memory_order_acquire) ==
           0) {
    }
    *out = *value;
  }
}

// Two warps in turns, `rounds` each; not `legal`: one of the turns is given up too early.
__global__ void change_in_turns(bool legal, unsigned rounds, unsigned* value, unsigned* word) {
  if (threadIdx.x % 32 != 0) return;
  const cuda::atomic_ref<unsigned, cuda::thread_scope_block> turn(*word);
  for (unsigned i = threadIdx.x / 32; i < 2 * rounds; i += 2) {
    while (turn.load(cuda::memory_order_seq_cst) != i) {
    }
    ++*value;
    turn.store(i + 1, legal || i != 5 ? cuda::memory_order_seq_cst : cuda::memory_order_relaxed);
  }
}

// A lock that is taken or given back without an order.
template <bool taken>
__global__ void lock_with_order(bool legal, unsigned* sum, unsigned* lock, unsigned*) {
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> word(*lock);
  bool is_done = false;
  while (!is_done) {
    unsigned expected = 0;
    if (!word.compare_exchange_weak(
            expected, 1, legal || !taken ? cuda::memory_order_acquire : cuda::memory_order_relaxed))
      continue;
    *sum = *sum + 1;
    word.store(0, legal || taken ? cuda::memory_order_release : cuda::memory_order_relaxed);
    is_done = true;
  }
}
template void lock_with_order<false>(bool, unsigned*, unsigned*, unsigned*);
template void lock_with_order<true>(bool, unsigned*, unsigned*, unsigned*);

// A byte is changed by exchanging its word.
__global__ void release_by_byte(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  using Flag = cuda::atomic_ref<unsigned char, cuda::thread_scope_device>;
  if (!is_first()) return;
  const Flag flag(reinterpret_cast<unsigned char*>(flags)[1]);
  if (blockIdx.x == 0) {
    *value = 7;
    flag.fetch_add(1, legal ? cuda::memory_order_release : cuda::memory_order_relaxed);
  } else {
    while (flag.fetch_or(0, cuda::memory_order_acquire) == 0) {
    }
    *out = *value;
  }
}

// --- Strong accesses

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

// --- Within a block

// Lanes hand words to each other behind so many warp barriers.
__global__ void hand_over_late(bool legal, unsigned rounds, unsigned* out) {
  __shared__ unsigned words[32];
  for (unsigned round = 0; round < rounds; ++round) __syncwarp();
  words[threadIdx.x] = threadIdx.x;
  if (legal) __syncwarp();
  out[threadIdx.x] = words[threadIdx.x ^ 1];
}

template <class Part>
__global__ void add_to_own_part(bool legal, Part* sums, unsigned* out) {
  __shared__ Part parts[64];
  parts[threadIdx.x] = 0;
  __syncthreads();
  ++parts[threadIdx.x];
  ++parts[legal ? threadIdx.x : threadIdx.x ^ 1];
  ++sums[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = parts[threadIdx.x];
}
template void add_to_own_part(bool, unsigned char*, unsigned*);
template void add_to_own_part(bool, unsigned short*, unsigned*);

// In each round a thread adds to the next part: first of its warp's, then of the block's.
template <class Part>
__global__ void pass_parts_on(bool legal, Part* sums, unsigned* out) {
  __shared__ Part parts[64];
  parts[threadIdx.x] = 0;
  const unsigned first = threadIdx.x / 32 * 32, lane = threadIdx.x % 32;
  __syncwarp();
  for (unsigned round = 0; round < 8; ++round) {
    ++parts[first + (lane + round) % 32];
    if (legal || round != 5) __syncwarp();
  }
  for (unsigned round = 0; round < 8; ++round) {
    ++sums[(threadIdx.x + round) % 64];
    __syncthreads();
  }
  out[threadIdx.x] = parts[threadIdx.x];
}
template void pass_parts_on(bool, unsigned char*, unsigned*);
template void pass_parts_on(bool, unsigned short*, unsigned*);

// Each thread clears all words.
__global__ void clear_by_all(bool legal, unsigned*, unsigned*, unsigned* out) {
  __shared__ unsigned words[100];
  memset(words, legal ? 0 : static_cast<int>(threadIdx.x), sizeof(words));
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
}

__global__ void copy_by_all(bool legal, unsigned* in, unsigned*, unsigned* out) {
  __shared__ unsigned words[64];
  memcpy(words, in + (legal ? 0 : threadIdx.x), sizeof(words));
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
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

__global__ void shuffle_from(unsigned source, unsigned* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffff, threadIdx.x, static_cast<int>(source));
}
