// SPDX-License-Identifier: MIT
// Loops of compare-and-swaps: those that the compiler makes of atomics without an instruction of their own,
// and those that are written in the kernel.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

// Operations that shared memory has no instruction for, by blocks of one warp: others would come in between.
enum class Looped { sum, maximum, bits, none };

template <class T, Looped operation>
__global__ void shared_cas_loop(const unsigned* in, unsigned* out, unsigned words) {
  constexpr unsigned all = 64;
  __shared__ T values[all];
  for (unsigned i = threadIdx.x; i < all; i += blockDim.x) values[i] = 0;
  __syncthreads();
  const unsigned value = in[rank()];
  T* const word = &values[value & (words - 1)];
  if constexpr (operation == Looped::sum) atomicAdd(word, static_cast<T>(value >> 16));
  if constexpr (operation == Looped::maximum) atomicMax(word, static_cast<T>(value >> 16));
  if constexpr (operation == Looped::bits) atomicOr(word, static_cast<T>(value >> 16));
  // For comparison: shared memory has an instruction for this one.
  if constexpr (operation == Looped::none) atomicExch(word, static_cast<T>(value & (words - 1)));
  __syncthreads();
  out[rank()] = static_cast<unsigned>(values[threadIdx.x % all]);
}

// A loop of compare-and-swaps, in which lanes of a warp want the same of its `words` words.
__device__ void add_by_swaps(unsigned* word) {
  unsigned seen = *word, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(word, assumed, assumed + 1);
  } while (seen != assumed);
}

__global__ void shared_swaps(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned counts[1024];
  counts[threadIdx.x] = 0;
  __syncthreads();
  add_by_swaps(&counts[threadIdx.x / 32 * 32 + in[rank()] % words]);
  __syncthreads();
  out[rank()] = counts[threadIdx.x];
}

__global__ void global_swaps(const unsigned* in, unsigned* out, unsigned words) {
  add_by_swaps(&out[rank() / 32 * 32 + in[rank()] % words]);
}

// Each thread 16 times, so that lanes of a warp drift apart in the loop; a warp's words are its own.
__global__ void repeated_swaps(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned counts[32 * 64];
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x) counts[i] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned i = rank(); i < 16 * threads; i += threads)
    add_by_swaps(&counts[threadIdx.x / 32 * 64 + in[i] % words]);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x) out[blockIdx.x * 32 * 64 + i] = counts[i];
}

// A number goes to the first place that is free or has it, from the one where it belongs.
__global__ void repeated_probes(const unsigned* in, unsigned* out, unsigned places) {
  __shared__ unsigned keys[32 * 64], counts[32 * 64];
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x) keys[i] = counts[i] = 0;
  __syncthreads();
  const unsigned threads = gridDim.x * blockDim.x, table = threadIdx.x / 32 * 64;
  for (unsigned i = rank(); i < 16 * threads; i += threads) {
    const unsigned key = in[i] % 48 + 1;
    unsigned place = key * 2654435761u >> 16 & (places - 1);
    for (;;) {
      const unsigned found = atomicCAS(&keys[table + place], 0u, key);
      if (found == 0 || found == key) break;
      place = (place + 1) & (places - 1);
    }
    atomicAdd(&counts[table + place], 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 32 * 64; i += blockDim.x) out[blockIdx.x * 32 * 64 + i] = counts[i];
}

const Kernel compare_and_swap_kernels[] = {
    {"shared_float_sum_1", 1, &launch<shared_cas_loop<float, Looped::sum>>},
    {"shared_float_sum_8", 8, &launch<shared_cas_loop<float, Looped::sum>>},
    {"shared_float_sum_64", 64, &launch<shared_cas_loop<float, Looped::sum>>},
    {"shared_double_sum_8", 8, &launch<shared_cas_loop<double, Looped::sum>>},
    {"shared_long_sum_1", 1, &launch<shared_cas_loop<unsigned long long, Looped::sum>>},
    {"shared_long_sum_8", 8, &launch<shared_cas_loop<unsigned long long, Looped::sum>>},
    {"shared_long_sum_64", 64, &launch<shared_cas_loop<unsigned long long, Looped::sum>>},
    {"shared_long_bits_8", 8, &launch<shared_cas_loop<unsigned long long, Looped::bits>>},
    {"shared_long_maximum_1", 1, &launch<shared_cas_loop<unsigned long long, Looped::maximum>>},
    {"shared_long_maximum_8", 8, &launch<shared_cas_loop<unsigned long long, Looped::maximum>>},
    {"shared_long_exchange_1", 1, &launch<shared_cas_loop<unsigned long long, Looped::none>>},
    {"shared_long_exchange_8", 8, &launch<shared_cas_loop<unsigned long long, Looped::none>>},
    {"shared_long_exchange_64", 64, &launch<shared_cas_loop<unsigned long long, Looped::none>>},
    {"shared_float_sum_16", 16, &launch<shared_cas_loop<float, Looped::sum>>},
    {"shared_double_sum_64", 64, &launch<shared_cas_loop<double, Looped::sum>>},
    {"shared_long_bits_64", 64, &launch<shared_cas_loop<unsigned long long, Looped::bits>>},
    {"shared_long_maximum_64", 64, &launch<shared_cas_loop<unsigned long long, Looped::maximum>>},
    {"shared_signed_maximum_8", 8, &launch<shared_cas_loop<long long, Looped::maximum>>},
    {"shared_swaps_1", 1, &launch<shared_swaps>},
    {"shared_swaps_5", 5, &launch<shared_swaps>},
    {"shared_swaps_32", 32, &launch<shared_swaps>},
    {"repeated_swaps_1", 1, &launch<repeated_swaps>},
    {"repeated_swaps_8", 8, &launch<repeated_swaps>},
    {"repeated_swaps_64", 64, &launch<repeated_swaps>},
    {"repeated_probes_64", 64, &launch<repeated_probes>},
    {"global_swaps_1", 1, &launch<global_swaps>},
    {"global_swaps_5", 5, &launch<global_swaps>},
};

}  // namespace

}  // namespace golden
