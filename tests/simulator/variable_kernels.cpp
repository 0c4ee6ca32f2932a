// SPDX-License-Identifier: MIT
// Variables of the kernel's file: in device memory, in constant memory, and a function's own.
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

namespace {

__device__ unsigned device_counter;
__device__ unsigned partial_sums[8];
__device__ unsigned blocks_done;
__device__ unsigned device_table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ unsigned constant_table[4] = {10, 20, 30, 40};
__constant__ const unsigned constant_offset = 5;
__managed__ unsigned managed_words[64];

}  // namespace

template <unsigned factor>
__constant__ unsigned multiples[4] = {0, factor, 2 * factor, 3 * factor};

unsigned& device_counter_of_host() { return device_counter; }

__global__ void count_in_variable(unsigned rounds) {
  for (unsigned k = 0; k < rounds; ++k) atomicAdd(&device_counter, 1u);
}

__global__ void count_in_variable_without_atomic() { device_counter = device_counter + 1; }

__global__ void add_last_block(bool fenced, unsigned* out) {
  if (threadIdx.x != 0) return;
  partial_sums[blockIdx.x] = blockIdx.x + 1;
  if (fenced) __threadfence();
  if (atomicAdd(&blocks_done, 1u) != gridDim.x - 1) return;
  if (fenced) __threadfence();
  unsigned sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) sum += partial_sums[block];
  *out = sum;
  blocks_done = 0;
}

__global__ void read_table(unsigned index, unsigned* out) {
  out[threadIdx.x] = device_table[index + threadIdx.x];
}

__global__ void write_table(unsigned index, unsigned value) { device_table[index] = value; }

__global__ void read_constant(unsigned index, unsigned* out) {
  out[threadIdx.x] = constant_table[index + threadIdx.x] + constant_offset;
}

__global__ void read_multiple(unsigned* out) { out[threadIdx.x] = multiples<7>[3 - threadIdx.x]; }

__global__ void write_constant(unsigned index) { constant_table[index] = 1; }

__global__ void count_calls(unsigned* out) {
  static unsigned calls;
  out[threadIdx.x] = atomicAdd(&calls, 1u);
}

__global__ void share_managed(unsigned* out) {
  const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
  managed_words[rank] = rank;
  __syncthreads();
  out[rank] = managed_words[rank ^ 1];
}

__global__ void read_literal(char* out) {
  const char* text = "abcd";
  out[threadIdx.x] = text[threadIdx.x];
}
