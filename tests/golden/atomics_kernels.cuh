// SPDX-License-Identifier: MIT
// Atomics that shared or global memory has an instruction for, on words that the input decides.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

constexpr unsigned counters = 1024;  // in shared memory

__device__ inline void clear(unsigned* words) {
  for (unsigned i = threadIdx.x; i < counters; i += blockDim.x) words[i] = 0;
  __syncthreads();
}

__device__ inline void commit(const unsigned* words, unsigned* out) {
  __syncthreads();
  for (unsigned i = threadIdx.x; i < counters; i += blockDim.x) out[blockIdx.x * counters + i] = words[i];
}

__global__ void shared_count(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned counts[counters];
  clear(counts);
  atomicAdd(&counts[in[rank()] & (words - 1)], 1u);
  commit(counts, out);
}

__global__ void shared_count_strided(const unsigned*, unsigned* out, unsigned stride) {
  __shared__ unsigned counts[counters];
  clear(counts);
  atomicAdd(&counts[threadIdx.x * stride % counters], 1u);
  commit(counts, out);
}

__global__ void shared_add(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned sums[counters];
  clear(sums);
  const unsigned value = in[rank()];
  atomicAdd(&sums[value & (words - 1)], value >> 16);
  commit(sums, out);
}

__global__ void shared_add_strided(const unsigned* in, unsigned* out, unsigned stride) {
  __shared__ unsigned sums[counters];
  clear(sums);
  atomicAdd(&sums[threadIdx.x * stride % counters], in[rank()]);
  commit(sums, out);
}

__global__ void shared_maximum(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned maxima[counters];
  clear(maxima);
  const unsigned value = in[rank()];
  atomicMax(&maxima[value & (words - 1)], value);
  commit(maxima, out);
}

__global__ void shared_tickets(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned next[counters];
  clear(next);
  out[rank()] = atomicAdd(&next[in[rank()] & (words - 1)], 1u);
}

// The words are 0, not 1, and stay so: which thread comes first does not matter.
__global__ void shared_compare_and_swap(const unsigned* in, unsigned* out, unsigned words) {
  __shared__ unsigned targets[counters];
  clear(targets);
  const unsigned value = in[rank()];
  out[rank()] = value + atomicCAS(&targets[value & (words - 1)], 1u, value);
}

__global__ void global_count(const unsigned* in, unsigned* out, unsigned words) {
  atomicAdd(&out[in[rank()] & (words - 1)], 1u);
}

__global__ void global_add(const unsigned* in, unsigned* out, unsigned words) {
  const unsigned value = in[rank()];
  if (value % 8 != 0) atomicAdd(&out[value & (words - 1)], value >> 16);
}

__global__ void global_tickets(const unsigned* in, unsigned* out, unsigned words) {
  out[words + rank()] = atomicAdd(&out[in[rank()] & (words - 1)], 1u);
}

const Kernel atomics_kernels[] = {
    {"shared_count_1", 1, &launch<shared_count>},
    {"shared_count_8", 8, &launch<shared_count>},
    {"shared_count_1024", 1024, &launch<shared_count>},
    {"shared_count_strided_2", 2, &launch<shared_count_strided>},
    {"shared_count_strided_32", 32, &launch<shared_count_strided>},
    {"shared_add_1", 1, &launch<shared_add>},
    {"shared_add_8", 8, &launch<shared_add>},
    {"shared_add_1024", 1024, &launch<shared_add>},
    {"shared_add_strided_1", 1, &launch<shared_add_strided>},
    {"shared_add_strided_32", 32, &launch<shared_add_strided>},
    {"shared_maximum_8", 8, &launch<shared_maximum>},
    {"shared_tickets_8", 8, &launch<shared_tickets>},
    {"shared_compare_and_swap_8", 8, &launch<shared_compare_and_swap>},
    {"global_count_1", 1, &launch<global_count>},
    {"global_count_4096", 4096, &launch<global_count>},
    {"global_add_64", 64, &launch<global_add>},
    {"global_tickets_64", 64, &launch<global_tickets>},
};

}  // namespace

}  // namespace golden
