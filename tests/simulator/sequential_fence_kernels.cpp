// SPDX-License-Identifier: MIT
// Rules of docs/checkers.md, "The memory model", of sequentially consistent fences, which are ordered among
// themselves: each kernel is right with `legal`, and breaks the rule without it.
#include "kernels.hpp"
#include "simulator/cuda/atomic_ref.hpp"

namespace {

constexpr unsigned first_writer = 32;

__device__ void fence_in_order(bool is_sequential) {
  cuda::atomic_thread_fence(is_sequential ? cuda::memory_order_seq_cst : cuda::memory_order_acq_rel,
                            cuda::thread_scope_device);
}

// Whether the block is the last one. Its first thread alone counts, with no fence of its own.
__device__ bool is_last(unsigned* done) {
  return cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*done).fetch_add(
             1, cuda::memory_order_relaxed) == gridDim.x - 1;
}

__device__ void wait_for(unsigned* flag) {
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> word(*flag);
  while (word.load(cuda::memory_order_relaxed) == 0) {
  }
}

}  // namespace

// Of each block some threads write, and fence before a barrier.
__global__ void fence_of_writers(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x >= first_writer && threadIdx.x < first_writer + 4) {
    partial[rank] = 1;
    if (legal) __threadfence();
  }
  __syncthreads();
  if (threadIdx.x > 0 || !is_last(done)) return;
  __threadfence();
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block * blockDim.x + first_writer];
}

// The same, with another fence on the writers' side, or on the reader's.
__global__ void fence_of_writers_in_order(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x >= first_writer) {
    partial[rank] = 1;
    fence_in_order(legal);
  }
  __syncthreads();
  if (threadIdx.x > 0 || !is_last(done)) return;
  __threadfence();
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block * blockDim.x + first_writer];
}
__global__ void fence_of_reader_in_order(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  partial[rank] = 1;
  fence_in_order(true);
  __syncthreads();
  if (threadIdx.x > 0 || !is_last(done)) return;
  fence_in_order(legal);
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block * blockDim.x + first_writer];
}

// Some threads write once more, without a fence behind it.
__global__ void write_behind_fence_of_writers(bool legal, unsigned* partial, unsigned* done, unsigned* out) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  partial[rank] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x >= first_writer) partial[rank] = 2;
  if (legal && threadIdx.x >= first_writer) __threadfence();
  __syncthreads();
  if (threadIdx.x > 0) return;
  const bool last = is_last(done);
  __threadfence();
  if (!last) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *out += partial[block * blockDim.x + first_writer];
}

// The first thread of the second block sees the flag, and behind a barrier another one fences for itself.
__global__ void read_and_fence_behind_barrier(bool legal, unsigned* value, unsigned* flag, unsigned* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x > 0) return;
    *value = 7;
    __threadfence();
    *static_cast<volatile unsigned*>(flag) = 1;
    return;
  }
  if (threadIdx.x == 0) wait_for(flag);
  __syncthreads();
  if (threadIdx.x != first_writer) return;
  fence_in_order(legal);
  *out = *value;
}

__global__ void read_and_fence_behind_warp_barrier(bool legal, unsigned* value, unsigned* flag,
                                                   unsigned* out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x > 0) return;
    *value = 7;
    __threadfence();
    *static_cast<volatile unsigned*>(flag) = 1;
    return;
  }
  if (threadIdx.x == 0) wait_for(flag);
  __syncwarp();
  if (threadIdx.x != 1) return;
  fence_in_order(legal);
  *out = *value;
}
