// SPDX-License-Identifier: MIT
// What a thread has acquired and hands on, to others that hand it on: each kernel is right with `legal`.
#include "kernels.hpp"
#include "simulator/cuda/atomic_ref.hpp"

namespace {

using OfDevice = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
using OfBlock = cuda::atomic_ref<unsigned, cuda::thread_scope_block>;

template <class Flag>
__device__ void wait_for(const Flag& flag, cuda::memory_order order) {
  while (flag.load(order) == 0) {
  }
}

__device__ void barrier_of_block() { __syncthreads(); }
__device__ void barrier_of_warp() { __syncwarp(); }

}  // namespace

// Each block waits for the one before and tells the next, by a flag each; only the last looks at what the
// first has written. Not `legal`: one in the middle has not acquired.
__global__ void hand_on_through_blocks(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x == 0) {
    *value = 7;
  } else {
    const bool acquires = legal || blockIdx.x != gridDim.x / 2;
    wait_for(OfDevice(flags[blockIdx.x - 1]),
             acquires ? cuda::memory_order_acquire : cuda::memory_order_relaxed);
  }
  if (blockIdx.x == gridDim.x - 1) *out = *value;
  OfDevice(flags[blockIdx.x]).store(1, cuda::memory_order_release);
}

// The same with a block's warps, and rounds: the first warp changes the value once more when the last has
// told it to.
__global__ void hand_on_in_a_ring(bool legal, unsigned rounds, unsigned* value, unsigned* turns) {
  const unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (unsigned round = 0; round < rounds; ++round) {
    const OfBlock turn(turns[warp]), next(turns[(warp + 1) % warps]);
    if (threadIdx.x % 32 == 0) {
      const bool acquires = legal || warp != 3 || round + 1 < rounds;
      while (turn.load(acquires ? cuda::memory_order_acquire : cuda::memory_order_relaxed) !=
             (warp > 0) + round) {
      }
    }
    __syncwarp();
    if (warp % (warps - 1) == 0) value[threadIdx.x % 32] += 1;
    __syncwarp();
    if (threadIdx.x % 32 == 0) next.store(round + 1, cuda::memory_order_release);
  }
}

// The first thread of the second block acquires, another one releases. Legal: a barrier lies between the two.
template <unsigned releasing, void (*barrier)()>
__global__ void hand_on_by_another(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  __shared__ unsigned has_come;
  if (threadIdx.x == 0) has_come = 0;
  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *value = 7;
    OfDevice(flags[0]).store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      wait_for(OfDevice(flags[0]), cuda::memory_order_acquire);
      OfBlock(has_come).store(1, cuda::memory_order_relaxed);
    }
    if (legal) barrier();
    if (threadIdx.x == releasing) {
      wait_for(OfBlock(has_come), cuda::memory_order_relaxed);
      OfDevice(flags[1]).store(1, cuda::memory_order_release);
    }
  } else if (blockIdx.x == 2 && threadIdx.x == 0) {
    wait_for(OfDevice(flags[1]), cuda::memory_order_acquire);
    *out = *value;
  }
}

void hand_on_by_another_thread(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  hand_on_by_another<32, barrier_of_block>(legal, value, flags, out);
}
void hand_on_by_another_lane(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  hand_on_by_another<1, barrier_of_warp>(legal, value, flags, out);
}

// The second block acquires for its own threads alone, or for the device.
__global__ void hand_on_what_is_for_the_block(bool legal, unsigned* value, unsigned* flags, unsigned* out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x == 0) {
    *value = 7;
    OfDevice(flags[0]).store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1) {
    if (legal)
      wait_for(OfDevice(flags[0]), cuda::memory_order_acquire);
    else
      wait_for(OfBlock(flags[0]), cuda::memory_order_acquire);
    OfDevice(flags[1]).store(1, cuda::memory_order_release);
  } else {
    wait_for(OfDevice(flags[1]), cuda::memory_order_acquire);
    *out = *value;
  }
}

// The first warp writes again once all others have read and said so, or all but one.
__global__ void write_when_all_have_read(bool legal, unsigned* value, unsigned* readers, unsigned* out) {
  const unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (threadIdx.x == 0) *value = 1;
  __syncthreads();
  if (threadIdx.x % 32 != 0) return;
  if (warp == 0) {
    const unsigned awaited = legal ? warps : warps - 1;
    for (unsigned other = 1; other < awaited; ++other)
      wait_for(OfBlock(readers[other]), cuda::memory_order_acquire);
    *value = 2;
  } else {
    out[warp] = *value;
    OfBlock(readers[warp]).store(1, cuda::memory_order_release);
  }
}
