// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

// Each thread of the second half writes the two words of one of the first.
__global__ void write_two_words_in_pairs(uint2* words) {
  words[threadIdx.x % (blockDim.x / 2)] = make_uint2(threadIdx.x, threadIdx.x + 1);
}

__global__ void write_what_all_read(unsigned char* word, unsigned* out) {
  out[threadIdx.x] = *word;
  if (threadIdx.x == 0) *word = 3;
}

__global__ void read_what_one_writes(unsigned char* word, unsigned* out) {
  if (threadIdx.x == 0) *word = 3;
  out[threadIdx.x] = *word;
}

__global__ void read_twice_by_ldg(bool legal, const unsigned* in, unsigned* words, unsigned* out) {
  words[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = __ldg(legal ? &in[threadIdx.x] : &words[threadIdx.x]);
}

__global__ void change_behind_ldg(bool legal, unsigned* words, unsigned* out) {
  out[threadIdx.x] = __ldg(&words[threadIdx.x]);
  __syncthreads();
  if (!legal && threadIdx.x == 5) atomicAdd(&words[7], 1u);
}

__global__ void read_coherently(unsigned* words, unsigned* out) {
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = __ldcg(&words[threadIdx.x ^ 1]) + __ldcv(&words[threadIdx.x ^ 2]);
}
