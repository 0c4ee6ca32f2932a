// SPDX-License-Identifier: MIT
// Loops that nvcc unrolls, wholly or in part, and what it makes one access of in them: words that lie side by
// side, if it knows how they are aligned. Copies of types that are aligned to 16 bytes, and stores of 8 and
// 16 bytes by few lanes.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

// A word of shared memory for each thread.
#define A_WORD_OF_EACH(words, room)       \
  __shared__ unsigned words[room];        \
  words[threadIdx.x] = in[rank() & last]; \
  __syncthreads()

__global__ void fold_first_known(const unsigned* in, unsigned* out, unsigned) {
  A_WORD_OF_EACH(words, 256);
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (unsigned k = 0; k < 24; ++k) sum = sum * 3 + words[k];
  out[blockIdx.x] = sum;
}

__global__ void fold_from_second(const unsigned* in, unsigned* out, unsigned) {
  A_WORD_OF_EACH(words, 256);
  if (threadIdx.x != 0) return;
  unsigned sum = words[0];
  for (unsigned k = 1; k < 14; ++k) sum = max(sum, words[k]);
  out[blockIdx.x] = sum;
}

__global__ void fold_unknown(const unsigned* in, unsigned* out, unsigned count) {
  A_WORD_OF_EACH(words, 256);
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (unsigned k = 0; k < count; ++k) sum ^= words[k];
  out[blockIdx.x] = sum;
}

__global__ void fold_row_of_warp(const unsigned* in, unsigned* out, unsigned count) {
  A_WORD_OF_EACH(words, 256);
  if (threadIdx.x % 32 != 0) return;
  const unsigned* const row = words + threadIdx.x / 32 * 32;
  unsigned sum = 0;
  for (unsigned k = 0; k < count; ++k) sum += row[k];
  out[rank()] = sum;
}

// Of this one nvcc does not know that threadIdx.x is a multiple of 32.
__global__ void fold_behind_thread(const unsigned* in, unsigned* out, unsigned count) {
  A_WORD_OF_EACH(words, 512);
  if (threadIdx.x % 32 != 0) return;
  unsigned sum = 0;
  for (unsigned k = 0; k < count; ++k) sum += words[threadIdx.x + k];
  out[rank()] = sum;
}

// Rows of twelve words are aligned to 16 bytes, rows of ten to 8.
template <unsigned pitch>
__global__ void fold_rows(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned rows[20][pitch];
  for (unsigned k = threadIdx.x; k < 20 * pitch; k += blockDim.x) rows[k / pitch][k % pitch] = in[k];
  __syncthreads();
  if (threadIdx.x >= 20) return;
  unsigned sum = 0;
  for (unsigned k = 0; k < pitch; ++k) sum = sum * 5 + rows[threadIdx.x][k];
  out[rank()] = sum;
}

__global__ void fold_every_second(const unsigned* in, unsigned* out, unsigned count) {
  A_WORD_OF_EACH(words, 256);
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (unsigned k = 0; k < count; k += 2) sum += words[k];
  out[blockIdx.x] = sum;
}

// The word is compared in each turn, and no branch comes of it.
__global__ void fold_largest_place(const unsigned* in, unsigned* out, unsigned) {
  A_WORD_OF_EACH(words, 256);
  if (threadIdx.x != 0) return;
  unsigned place = 0, largest = 0;
  for (unsigned k = 0; k < 16; ++k) {
    if (words[k] > largest) largest = words[k], place = k;
  }
  out[blockIdx.x] = place;
}

__global__ void clear_known(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[256 * 8];
  unsigned* const own = words + threadIdx.x * 8;
  for (unsigned k = 0; k < 8; ++k) own[k] = 7;
  __syncthreads();
  own[in[rank()] % 8] = 1;
  out[rank()] = own[0] + own[5];
}

__global__ void store_under_condition(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[8][4];
  const unsigned own = in[rank()];
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned of_warp = __ballot_sync(~0u, (own >> k & 1) != 0);
    if (threadIdx.x % 32 == 0) words[threadIdx.x / 32][k] = of_warp;
  }
  __syncthreads();
  if (threadIdx.x < 32) out[blockIdx.x * 32 + threadIdx.x] = words[threadIdx.x / 4][threadIdx.x % 4];
}

template <class Vector, unsigned every>
__global__ void stores_of_few(const unsigned* in, unsigned* out, unsigned) {
  __shared__ Vector vectors[256 / every];
  Vector own{};
  own.x = in[rank()];
  if (threadIdx.x % every == 0) vectors[threadIdx.x / every] = own;
  __syncthreads();
  out[rank()] = vectors[threadIdx.x / every].x;
}

struct alignas(16) Three {
  uint4 of[3];
};
struct Plain {
  unsigned of[12];
};
template <class Type>
__global__ void copied_type(const unsigned* in, unsigned* out, unsigned) {
  const Type* const from = reinterpret_cast<const Type*>(in);
  reinterpret_cast<Type*>(out)[rank()] = from[rank()];
}

#undef A_WORD_OF_EACH

constexpr Kernel unrolled_loops_kernels[] = {
    {"fold_first_known", 0, &launch<fold_first_known>},
    {"fold_from_second", 0, &launch<fold_from_second>},
    {"fold_unknown_45", 45, &launch<fold_unknown>},
    {"fold_unknown_7", 7, &launch<fold_unknown>},
    {"fold_row_of_warp", 27, &launch<fold_row_of_warp>},
    {"fold_behind_thread", 30, &launch<fold_behind_thread>},
    {"fold_rows_12", 0, &launch<fold_rows<12>>},
    {"fold_rows_10", 0, &launch<fold_rows<10>>},
    {"fold_rows_9", 0, &launch<fold_rows<9>>},
    {"fold_every_second", 50, &launch<fold_every_second>},
    {"fold_largest_place", 0, &launch<fold_largest_place>},
    {"clear_known", 0, &launch<clear_known>},
    {"store_under_condition", 0, &launch<store_under_condition>},
    {"stores_of_few_uint2_4", 0, &launch<stores_of_few<uint2, 4>>},
    {"stores_of_few_uint2_8", 0, &launch<stores_of_few<uint2, 8>>},
    {"stores_of_few_uint4_2", 0, &launch<stores_of_few<uint4, 2>>},
    {"stores_of_few_uint4_4", 0, &launch<stores_of_few<uint4, 4>>},
    {"stores_of_few_uint4_16", 0, &launch<stores_of_few<uint4, 16>>},
    {"copied_type_aligned", 0, &launch<copied_type<Three>>},
    {"copied_type_words", 0, &launch<copied_type<Plain>>},
};

}  // namespace

}  // namespace golden
