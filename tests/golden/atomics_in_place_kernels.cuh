// SPDX-License-Identifier: MIT
// Atomics on one word of shared memory by many lanes. What the compiler knows decides how the warp goes about
// it: the place may be the same for all by what is written, or only in fact.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

enum class AtomicFunction { sub, min, max, bitwise_or, bitwise_xor, increment, add_two, add_parameter };

enum class Place {
  constant,
  of_loop,
  of_block,
  of_warp,
  of_parameter,
  of_load,  // what all load from the same place
  of_vote,
  of_shuffle,  // from one lane
  of_branch,   // that all take together
  of_parting_branch,
  of_parting_loop,  // which lanes leave after other numbers of rounds
};

// `value`: the lane's; `loop`: the number of the round.
template <Place place>
__device__ inline unsigned place_of(const unsigned* in, unsigned value, unsigned parameter, unsigned loop) {
  switch (place) {
    case Place::constant:
      return 5;
    case Place::of_loop:
    case Place::of_parting_loop:
      return loop;
    case Place::of_block:
      return blockIdx.x % 8;
    case Place::of_warp:
      return threadIdx.x / 32;
    case Place::of_parameter:
      return parameter;
    case Place::of_load:
      return in[blockIdx.x] % 8;
    case Place::of_vote:
      return __ballot_sync(~0u, value % 3 == 0) % 8;
    case Place::of_shuffle:
      return __shfl_sync(~0u, value, 3) % 8;
    case Place::of_branch:
      return parameter + blockIdx.x > 8 ? in[blockIdx.x + 40] % 8 : 3;
    case Place::of_parting_branch:
      return value % 5 == 0 ? in[blockIdx.x + 40] % 8 : 3;
  }
  return 0;
}

// One of so many lanes takes part.
template <Place place>
__global__ void shared_sum_in_place(const unsigned* in, unsigned* out, unsigned one_of) {
  __shared__ unsigned words[64];
  if (threadIdx.x < 64) words[threadIdx.x] = 0;
  __syncthreads();
  const unsigned value = in[rank()];
  const unsigned rounds = place == Place::of_loop ? 7 : place == Place::of_parting_loop ? value % 7 : 1;
#pragma unroll 1
  for (unsigned k = 0; k < rounds; ++k) {
    const unsigned at = place_of<place>(in, value, one_of, k);
    if ((value >> k) % one_of == 0) atomicAdd(&words[at], value % 16);
  }
  __syncthreads();
  if (threadIdx.x < 64) out[blockIdx.x * 64 + threadIdx.x] = words[threadIdx.x];
}

// What the word held before is used. (Which lane finds what is not said: only that it is less than the end.)
template <AtomicFunction function>
__global__ void shared_change_and_use_in_place(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[64];
  if (threadIdx.x < 64) words[threadIdx.x] = 100;
  __syncthreads();
  const unsigned value = in[rank()] % 4096;
  const unsigned before = function == AtomicFunction::max       ? atomicMax(&words[5], value)
                          : function == AtomicFunction::add_two ? atomicAdd(&words[5], 2)
                                                                : atomicAdd(&words[5], value);
  __syncthreads();
  out[rank()] = before <= words[5];
}

template <AtomicFunction function>
__global__ void shared_change_in_place(const unsigned* in, unsigned* out, unsigned one_of) {
  __shared__ unsigned words[64];
  if (threadIdx.x < 64) words[threadIdx.x] = 100;
  __syncthreads();
  const unsigned value = in[rank()] % 4096;
  if (value % one_of == 0) {
    if (function == AtomicFunction::sub) atomicSub(&words[5], value);
    if (function == AtomicFunction::min) atomicMin(&words[5], value);
    if (function == AtomicFunction::max) atomicMax(&words[5], value);
    if (function == AtomicFunction::bitwise_or) atomicOr(&words[5], value);
    if (function == AtomicFunction::bitwise_xor) atomicXor(&words[5], value);
    if (function == AtomicFunction::increment) atomicInc(&words[5], 1000000);
    if (function == AtomicFunction::add_two) atomicAdd(&words[5], 2);
    if (function == AtomicFunction::add_parameter) atomicAdd(&words[5], one_of);
  }
  __syncthreads();
  if (threadIdx.x < 64) out[blockIdx.x * 64 + threadIdx.x] = words[threadIdx.x];
}

const Kernel atomics_in_place_kernels[] = {
    {"shared_sum_in_place", 1, &launch<shared_sum_in_place<Place::constant>>},
    {"shared_sum_in_place_by_some", 3, &launch<shared_sum_in_place<Place::constant>>},
    {"shared_sum_of_loop", 1, &launch<shared_sum_in_place<Place::of_loop>>},
    {"shared_sum_of_loop_by_some", 3, &launch<shared_sum_in_place<Place::of_loop>>},
    {"shared_sum_of_block", 1, &launch<shared_sum_in_place<Place::of_block>>},
    {"shared_sum_of_warp", 1, &launch<shared_sum_in_place<Place::of_warp>>},
    {"shared_sum_of_parameter", 3, &launch<shared_sum_in_place<Place::of_parameter>>},
    {"shared_sum_of_load", 3, &launch<shared_sum_in_place<Place::of_load>>},
    {"shared_sum_of_vote", 3, &launch<shared_sum_in_place<Place::of_vote>>},
    {"shared_sum_of_shuffle", 3, &launch<shared_sum_in_place<Place::of_shuffle>>},
    {"shared_sum_of_branch", 3, &launch<shared_sum_in_place<Place::of_branch>>},
    {"shared_sum_of_parting_branch", 3, &launch<shared_sum_in_place<Place::of_parting_branch>>},
    {"shared_sum_of_parting_loop", 3, &launch<shared_sum_in_place<Place::of_parting_loop>>},
    {"shared_sum_used", 1, &launch<shared_change_and_use_in_place<AtomicFunction::add_parameter>>},
    {"shared_maximum_used", 1, &launch<shared_change_and_use_in_place<AtomicFunction::max>>},
    {"shared_add_two_used", 1, &launch<shared_change_and_use_in_place<AtomicFunction::add_two>>},
    {"shared_subtract_in_place", 3, &launch<shared_change_in_place<AtomicFunction::sub>>},
    {"shared_minimum_in_place", 3, &launch<shared_change_in_place<AtomicFunction::min>>},
    {"shared_maximum_in_place", 3, &launch<shared_change_in_place<AtomicFunction::max>>},
    {"shared_or_in_place", 3, &launch<shared_change_in_place<AtomicFunction::bitwise_or>>},
    {"shared_xor_in_place", 3, &launch<shared_change_in_place<AtomicFunction::bitwise_xor>>},
    {"shared_increment_in_place", 3, &launch<shared_change_in_place<AtomicFunction::increment>>},
    {"shared_add_two_in_place", 3, &launch<shared_change_in_place<AtomicFunction::add_two>>},
    {"shared_add_parameter_in_place", 3, &launch<shared_change_in_place<AtomicFunction::add_parameter>>},
};

}  // namespace

}  // namespace golden
