// SPDX-License-Identifier: MIT
// Rules of docs/checkers.md, "The memory model", of threads of one block: each kernel is right with `legal`,
// and breaks the rule without it.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

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

// Lanes hand words to each other behind so many warp barriers.
__global__ void hand_over_late(bool legal, unsigned rounds, unsigned* out) {
  __shared__ unsigned words[32];
  for (unsigned round = 0; round < rounds; ++round) __syncwarp();
  words[threadIdx.x] = threadIdx.x;
  if (legal) __syncwarp();
  out[threadIdx.x] = words[threadIdx.x ^ 1];
}

// Lanes 0 to 15 meet, and then lanes 8 to 23, or lanes 16 to 31, of which none has met the first.
__global__ void hand_on_through_masks(bool legal, unsigned*, unsigned*, unsigned* out) {
  __shared__ unsigned words[32];
  const unsigned lane = threadIdx.x, first = legal ? 8 : 16;
  words[lane] = lane;
  if (lane < 16) __syncwarp(0xffff);
  if (lane >= first && lane < first + 16) __syncwarp(0xffffu << first);
  if (lane >= 16 && lane < 24) out[lane] = words[lane - 16];
}

// In each round the first lane of those with one key adds for all of them.
__global__ void add_by_leaders(bool legal, unsigned*, unsigned*, unsigned* out) {
  __shared__ unsigned counts[4];
  if (threadIdx.x < 4) counts[threadIdx.x] = 0;
  __syncwarp();
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned key = (threadIdx.x + 3 * round) / 5 % 4;
    const auto alike = static_cast<int>(__match_any_sync(0xffffffff, key));
    if (static_cast<int>(threadIdx.x) == __ffs(alike) - 1)
      counts[key] += static_cast<unsigned>(__popc(alike));
    if (legal) __syncwarp();
  }
  __syncwarp();
  out[threadIdx.x] = counts[threadIdx.x % 4];
}

// Counters in turn, with one barrier a round: while one is counted in, the next is cleared. Of two, that is
// the one which others still read.
__global__ void clear_next_counter(bool legal, unsigned*, unsigned*, unsigned* out) {
  __shared__ unsigned counters[3];
  const unsigned in_turn = legal ? 3 : 2;
  if (threadIdx.x < 3) counters[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned round = 0; round < 6; ++round) {
    atomicAdd(&counters[round % in_turn], 1u);
    if (threadIdx.x == blockDim.x - 1) counters[(round + 1) % in_turn] = 0;
    __syncthreads();
    out[threadIdx.x] += counters[round % in_turn];
  }
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

__global__ void shuffle_from(unsigned source, unsigned* out) {
  if (threadIdx.x < 16) out[threadIdx.x] = __shfl_sync(0xffff, threadIdx.x, static_cast<int>(source));
}
