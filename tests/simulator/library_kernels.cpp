// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

void set_and_copy(const unsigned* in, unsigned* out) {
  __shared__ unsigned words[8];
  if (threadIdx.x == 0) memset(words, 0, sizeof words);
  __syncthreads();
  if (threadIdx.x == 1) memcpy(words, in, 16);
  __syncthreads();
  if (threadIdx.x == 2) memmove(words + 1, words, 16);
  __syncthreads();
  if (threadIdx.x < 8) out[threadIdx.x] = words[threadIdx.x];
}

void clear(unsigned* words, unsigned count) { memset(words, 0, count * sizeof(unsigned)); }
void copy(unsigned* to, const unsigned* from, unsigned count) { memcpy(to, from, count * sizeof(unsigned)); }

void time_rounds(unsigned rounds, long long* out) {
  const long long begin = clock64();
  volatile unsigned left = rounds;
  while (left > 0) left = left - 1;
  const long long middle = clock64();
  __syncthreads();
  out[threadIdx.x] = middle - begin;
  out[blockDim.x + threadIdx.x] = clock64() - clock() <= 0;
}

void print_ranks() { printf("thread %u of block %u\n", threadIdx.x, blockIdx.x); }

__shared__ unsigned file_scope[4];
void share_at_file_scope(unsigned* out) {
  if (threadIdx.x < 4) file_scope[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  out[threadIdx.x] = file_scope[threadIdx.x % 4];
}

__constant__ unsigned table[4] = {3, 1, 4, 1};
__device__ unsigned visits = 0;
template <unsigned rounds>
__global__ void __launch_bounds__(1024, 2) __maxnreg__(32)
    qualified(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  __builtin_assume(rounds > 0);
#pragma unroll
  for (unsigned i = 0; i < rounds; ++i) out[threadIdx.x] += table[i % 4] * in[i];
  atomicAdd_system(&visits, 1u);
  __syncwarp();
  __nanosleep(100);
  if (threadIdx.x == 0) out[blockDim.x] = atomicExch_block(&visits, 0u);
}
void use_qualifiers(const unsigned* in, unsigned* out) { qualified<4>(in, out); }

__device__ __noinline__ unsigned swap_half(unsigned short* word, unsigned short compare,
                                           unsigned short value) {
  return atomicCAS(word, compare, value);
}
void compare_and_swap_scopes(unsigned* words, unsigned short* half, unsigned* out) {
  out[0] = atomicCAS_block(&words[0], 1u, 5u);
  out[1] = atomicCAS_system(&words[1], 1u, 6u);
  out[2] = swap_half(half, 7, 8);
}
