// SPDX-License-Identifier: MIT
// Rules of docs/checkers.md, "The memory model", of atomics with a memory order: each kernel is right with
// `legal`, and breaks the rule without it.
#include "kernels.hpp"
#include "simulator/cuda/atomic_ref.hpp"

namespace {

__device__ bool is_first() { return threadIdx.x == 0; }

}  // namespace

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
