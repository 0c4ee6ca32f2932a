// SPDX-License-Identifier: MIT
#include "kernels.hpp"
#include "simulator/cuda/cuda.hpp"

__global__ void raise_flag(unsigned* flag) { *flag = 7; }

__global__ void write_warp_number(unsigned* word) { *word = threadIdx.x / 32; }

__global__ void write_bytes_of_a_word(unsigned char* bytes) {
  bytes[threadIdx.x % 4] = static_cast<unsigned char>(threadIdx.x % 4);
}

__global__ void write_four_words(unsigned different, uint4* words) {
  *words = uint4{1, 2, 3, threadIdx.x == 40 ? different : 4};
}

__global__ void raise_and_look(unsigned* flag, unsigned* out) {
  *flag = 7;
  out[threadIdx.x] = *static_cast<volatile unsigned*>(flag);
}

__global__ void raise_wait_and_look(unsigned* flag, unsigned* out) {
  *flag = 7;
  __syncthreads();
  if (blockIdx.x == gridDim.x - 1) out[threadIdx.x] = *flag;
}

__global__ void write_and_take_back(unsigned* word) {
  *word = 1;
  __threadfence_block();
  if (threadIdx.x == 63) *word = 2;
}

__global__ void write_sync_and_take_back(unsigned* word) {
  *word = 1;
  __syncwarp();
  if (threadIdx.x == blockDim.x - 1) *word = 2;
}

__global__ void write_wait_and_take_back(unsigned* word) {
  *word = 1;
  __syncthreads();
  if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) *word = 2;
}

__global__ void write_beside_a_copy(const Five* in, Five* out) {
  if (threadIdx.x == 0) out->words[0] = 1;
  __syncthreads();
  if (threadIdx.x == 1) *out = *in;
  if (threadIdx.x == 2) out->words[0] = 1;
}
