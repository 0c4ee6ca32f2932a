// SPDX-License-Identifier: MIT
// Lanes of a warp that do not meet as they should.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

// Neighbouring lanes exchange values through shared memory.
template <bool defect>
__global__ void exchange_in_pairs(unsigned* data) {
  __shared__ unsigned values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = data[lane];  // OTHER
  if constexpr (!defect) __syncwarp();
  data[lane] = values[lane ^ 1];  // DEFECT
}

// Each half of the warp waits for itself, and then reads what the other half wrote.
template <bool defect>
__global__ void reverse_after_half_sync(const unsigned* in, unsigned* out) {
  __shared__ unsigned mirrored[32];
  mirrored[31 - threadIdx.x] = in[threadIdx.x];  // OTHER
  __syncwarp(!defect ? 0xffffffffu : threadIdx.x < 16 ? 0x0000ffffu : 0xffff0000u);
  out[threadIdx.x] = mirrored[threadIdx.x];  // DEFECT
}

// A vote makes lanes meet, but orders no memory.
template <bool defect>
__global__ void vote_in_place_of_sync(const unsigned* in, unsigned* out) {
  __shared__ unsigned staged[64];
  unsigned* const own = staged + threadIdx.x / 32 * 32;
  const unsigned lane = threadIdx.x % 32;
  own[(lane + 5) % 32] = in[threadIdx.x];  // OTHER
  bool any = __any_sync(0xffffffffu, in[threadIdx.x] > 0);
  if constexpr (!defect) __syncwarp();
  out[threadIdx.x] = any ? own[lane] : 0;  // DEFECT
}

// A reduction as it was written when lanes still ran in lockstep.
template <bool defect>
__global__ void sum_in_lockstep(const unsigned* in, unsigned* out) {
  __shared__ volatile unsigned sums[32];
  const unsigned lane = threadIdx.x;
  sums[lane] = in[lane];
  __syncwarp();
  for (unsigned distance = 16; distance > 0; distance >>= 1) {
    const unsigned other = lane < distance ? sums[lane + distance] : 0;  // DEFECT
    if (lane < distance) sums[lane] = sums[lane] + other;                // OTHER
    if constexpr (!defect) __syncwarp();
  }
  if (lane == 0) *out = sums[0];
}

// The leader draws a place for its warp and leaves it in shared memory.
template <bool defect>
__global__ void places_for_warps(unsigned* cursor, unsigned* out) {
  __shared__ unsigned base[4];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) base[warp] = atomicAdd(cursor, 32u);  // OTHER
  if constexpr (!defect) __syncwarp();
  out[base[warp] + lane] = lane;  // DEFECT
}

// All lanes of the warp store to the slot that belongs to one of them.
template <bool defect>
__global__ void every_lane_stores(const unsigned* in, unsigned* out) {
  __shared__ unsigned winner;
  const unsigned votes = __ballot_sync(0xffffffffu, in[threadIdx.x] != 0);
  const unsigned chosen = static_cast<unsigned>(__ffs(static_cast<int>(votes)) - 1);
  if (defect || threadIdx.x == chosen) winner = in[threadIdx.x];  // DEFECT
  __syncwarp();
  if (threadIdx.x == 0) *out = winner;
}

// The caller is none of the lanes that it names.
template <bool defect>
__global__ void ballot_of_the_others(const int* in, unsigned* out) {
  const unsigned mask = defect ? 0xffffffffu & ~(1u << threadIdx.x) : 0xffffffffu;
  if (defect && threadIdx.x > 0) return;
  out[threadIdx.x] = __ballot_sync(mask, in[threadIdx.x] < 0);  // DEFECT
}

// A full mask in a branch that only half of the warp takes; the others wait at the block's barrier.
template <bool defect>
__global__ void full_mask_in_branch(const float* in, float* out) {
  float value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    const unsigned mask = defect ? 0xffffffffu : 0x0000ffffu;
    for (int distance = 8; distance > 0; distance /= 2)
      value += __shfl_down_sync(mask, value, distance);  // DEFECT
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = value;
}

// Each branch of an if names lanes of the other one.
template <bool defect>
__global__ void masks_that_overlap(unsigned* out) {
  unsigned equal = 0;
  if (threadIdx.x % 2 == 0) {
    equal = __match_any_sync(defect ? 0x77777777u : 0x55555555u, threadIdx.x / 8);  // DEFECT
  } else {
    equal = __match_any_sync(defect ? 0xbbbbbbbbu : 0xaaaaaaaau, threadIdx.x / 16);
  }
  out[threadIdx.x] = equal;
}

// A loop whose lanes leave at different times names all of them in each round. Those that have left wait
// first.
template <bool defect>
__global__ void vote_in_uneven_loop(const unsigned* rounds, unsigned* out) {
  unsigned votes = 0, lanes = 0xffffffffu;
  for (unsigned r = 0; r < 8; ++r) {
    if constexpr (!defect) lanes = __ballot_sync(lanes, r < rounds[threadIdx.x]);
    if (r >= rounds[threadIdx.x]) break;
    votes += static_cast<unsigned>(__popc(__ballot_sync(lanes, r % 2 == 0)));
  }
  __syncwarp();  // DEFECT
  out[threadIdx.x] = votes;
}

BOTH(exchange_in_pairs, unsigned*);
BOTH(reverse_after_half_sync, const unsigned*, unsigned*);
BOTH(vote_in_place_of_sync, const unsigned*, unsigned*);
BOTH(sum_in_lockstep, const unsigned*, unsigned*);
BOTH(places_for_warps, unsigned*, unsigned*);
BOTH(every_lane_stores, const unsigned*, unsigned*);
BOTH(ballot_of_the_others, const int*, unsigned*);
BOTH(full_mask_in_branch, const float*, float*);
BOTH(masks_that_overlap, unsigned*);
BOTH(vote_in_uneven_loop, const unsigned*, unsigned*);
