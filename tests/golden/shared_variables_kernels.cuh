// SPDX-License-Identifier: MIT
// Shared variables that lie side by side: when one load brings both, in front of a branch, behind a loop, and
// where a variable lies that is declared behind others.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

// Two numbers of the block, which its first thread brings.
#define TWO_NUMBERS(first, second)                       \
  __shared__ unsigned first, second;                     \
  if (threadIdx.x == 0) {                                \
    first = in[blockIdx.x], second = in[blockIdx.x + 1]; \
  }                                                      \
  __syncthreads()

__global__ void beside_at_once(const unsigned* in, unsigned* out, unsigned) {
  TWO_NUMBERS(low, high);
  out[rank()] = low * 3 + high;
}

__global__ void beside_return(const unsigned* in, unsigned* out, unsigned) {
  TWO_NUMBERS(low, high);
  if (low == 0) return;
  out[rank()] = high;
}

__global__ void beside_branch(const unsigned* in, unsigned* out, unsigned some) {
  TWO_NUMBERS(low, high);
  out[rank()] = low;
  if (threadIdx.x < some) atomicAdd(out + rank(), high);
}

__global__ void beside_either(const unsigned* in, unsigned* out, unsigned) {
  TWO_NUMBERS(low, high);
  if (threadIdx.x % 2 == 0) {
    atomicAdd(out + rank(), low);
  } else {
    atomicMax(out + rank(), high);
  }
}

__global__ void beside_loop_bound(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned begin, end;
  if (threadIdx.x == 0) begin = in[blockIdx.x] % 64, end = 64 + in[blockIdx.x + 1] % 64;
  __syncthreads();
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = begin; k < end; k += 16) sum = sum * 3 + in[k + threadIdx.x];
  out[rank()] = sum;
}

__global__ void beside_behind_loop(const unsigned* in, unsigned* out, unsigned count) {
  TWO_NUMBERS(low, high);
  unsigned sum = low;
#pragma unroll 1
  for (unsigned k = 0; k < count; k += threadIdx.x + 1) sum = sum * 3 + in[k];
  out[rank()] = sum + high;
}

__global__ void beside_behind_barrier(const unsigned* in, unsigned* out, unsigned) {
  TWO_NUMBERS(low, high);
  const unsigned first = low;
  __syncthreads();
  out[rank()] = first * 3 + high;
}

__global__ void beside_behind_seven(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned seven[7];
  __shared__ unsigned low, high;
  if (threadIdx.x < 7) seven[threadIdx.x] = in[rank()];
  if (threadIdx.x == 0) low = in[0], high = in[1];
  __syncthreads();
  out[rank()] = low * 3 + high + seven[threadIdx.x % 7];
}

__global__ void array_behind_number(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned number;
  __shared__ unsigned eight[8];
  if (threadIdx.x < 8) eight[threadIdx.x] = in[rank()];
  if (threadIdx.x == 8) number = in[rank()];
  __syncthreads();
  unsigned sum = number;
  for (unsigned k = 0; k < 8; ++k) sum = sum * 5 + eight[k];
  out[rank()] = sum;
}

__global__ void number_behind_bytes(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned char bytes[10];
  __shared__ unsigned low, high;
  if (threadIdx.x < 10) bytes[threadIdx.x] = static_cast<unsigned char>(in[rank()]);
  if (threadIdx.x == 32) low = in[rank()], high = in[rank() + 1];
  __syncthreads();
  out[rank()] = low * 3 + high + bytes[threadIdx.x % 10];
}

__global__ void beside_in_struct(const unsigned* in, unsigned* out, unsigned) {
  __shared__ struct {
    unsigned counts[8], counted;
    int highest;
  } s;
  if (threadIdx.x < 8) s.counts[threadIdx.x] = in[rank()];
  if (threadIdx.x == 0) s.counted = in[1], s.highest = static_cast<int>(in[2] % 256);
  __syncthreads();
  if (s.counted == 0) return;
#pragma unroll 1
  for (int k = static_cast<int>(threadIdx.x); k <= s.highest; k += 64) atomicAdd(out + k, s.counts[k % 8]);
}

__global__ void beside_four(const unsigned* in, unsigned* out, unsigned some) {
  __shared__ unsigned four[4];
  if (threadIdx.x < 4) four[threadIdx.x] = in[rank()];
  __syncthreads();
  out[rank()] = four[0];
  if (threadIdx.x >= some) return;
  atomicAdd(out + rank(), four[1]);
  if (threadIdx.x >= some / 2) return;
  atomicAdd(out + rank(), four[2] * 3);
  atomicMax(out + rank(), four[3]);
}

__global__ void beside_longs(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned long long low, high;
  if (threadIdx.x == 0) low = in[0], high = in[1];
  __syncthreads();
  if (low == 0) return;
  out[rank()] = static_cast<unsigned>(low * 3 + high);
}

__global__ void beside_of_each_lane(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[512];
  words[threadIdx.x] = in[rank()], words[threadIdx.x + 256] = in[rank() + 1];
  __syncthreads();
  out[rank()] = words[2 * threadIdx.x];
  if (threadIdx.x % 3 != 0) atomicAdd(out + rank(), words[2 * threadIdx.x + 1]);
}

// Loads whose value only a branch uses, at once and after a condition of which they are a part.
__global__ void used_in_condition(const unsigned* in, unsigned* out, unsigned some) {
  __shared__ unsigned words[256];
  words[threadIdx.x] = in[rank()];
  __syncthreads();
  const unsigned word = words[threadIdx.x ^ 1];
  if (threadIdx.x < some && word > 5) atomicAdd(out + rank(), word);
}

// A table is looked up by two bytes of each word, and by the first once more.
__global__ void looked_up_by_bytes(const unsigned* in, unsigned* out, unsigned mask) {
  __shared__ unsigned table[64];
  table[threadIdx.x % 64] = threadIdx.x % 64;
  __syncthreads();
#pragma unroll 1
  for (unsigned turn = 0; turn < 8; ++turn) {
    const unsigned word = in[rank() + turn] & mask;
    atomicAdd(out, table[word & 63]);
    atomicAdd(out + 1, table[word >> 8 & 63]);
    atomicAdd(out + 2, table[word & 63]);
  }
}

#undef TWO_NUMBERS

constexpr Kernel shared_variables_kernels[] = {
    {"beside_at_once", 0, &launch<beside_at_once>},
    {"beside_return", 0, &launch<beside_return>},
    {"beside_branch", 40, &launch<beside_branch>},
    {"beside_either", 0, &launch<beside_either>},
    {"beside_loop_bound", 0, &launch<beside_loop_bound>},
    {"beside_behind_loop", 100, &launch<beside_behind_loop>},
    {"beside_behind_barrier", 0, &launch<beside_behind_barrier>},
    {"beside_behind_seven", 0, &launch<beside_behind_seven>},
    {"array_behind_number", 0, &launch<array_behind_number>},
    {"number_behind_bytes", 0, &launch<number_behind_bytes>},
    {"beside_in_struct", 0, &launch<beside_in_struct>},
    {"beside_four", 100, &launch<beside_four>},
    {"beside_longs", 0, &launch<beside_longs>},
    {"beside_of_each_lane", 0, &launch<beside_of_each_lane>},
    {"used_in_condition", 40, &launch<used_in_condition>},
    {"looked_up_by_bytes", 0, &launch<looked_up_by_bytes>},
};

}  // namespace

}  // namespace golden
