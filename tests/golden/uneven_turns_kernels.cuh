// SPDX-License-Identifier: MIT
// Loops that nvcc unrolls by a few turns, where lanes of a warp make different numbers of turns: they go
// apart in what is left over, however long each of them stays.
#pragma once

#include "kernel_launch.cuh"

namespace golden {

namespace {

// Different from lane to lane, up to 22.
__device__ inline unsigned own_count() { return threadIdx.x * 7 % 23; }

#define OUT_OF(words) \
  __syncthreads();    \
  out[rank()] = words[threadIdx.x ^ 1]

// --- by a constant to an end that may be stepped over: four turns, then two, then one

__global__ void turns_clear(const unsigned*, unsigned* out, unsigned count) {
  __shared__ unsigned words[1024];
  for (unsigned k = threadIdx.x; k < count; k += 160) words[k] = k;
  OUT_OF(words);
}
__global__ void turns_clear_constant(const unsigned*, unsigned* out, unsigned) {
  __shared__ unsigned words[1024];
  for (unsigned k = threadIdx.x; k < 700; k += 160) words[k] = 3;
  OUT_OF(words);
}
__global__ void turns_clear_by_eight(const unsigned*, unsigned* out, unsigned) {
  __shared__ unsigned words[32 * 27];
  unsigned* const own = words + threadIdx.x / 8 * 27;
  for (unsigned k = threadIdx.x % 8; k < 27; k += 8) own[k] = 0;
  OUT_OF(words);
}
__global__ void turns_clear_by_block(const unsigned*, unsigned* out, unsigned count) {
  __shared__ unsigned words[1024];
  for (unsigned k = threadIdx.x; k < count; k += blockDim.x) words[k] = k;
  OUT_OF(words);
}
__global__ void turns_sum(const unsigned* in, unsigned* out, unsigned count) {
  unsigned sum = 0;
  const unsigned end = count + 4 * own_count();
  for (unsigned k = threadIdx.x & 3; k < end; k += 4) sum += in[k + blockIdx.x * 128];
  out[rank()] = sum;
}
__global__ void turns_sum_wide(const unsigned* in, unsigned* out, unsigned count) {
  unsigned sum = 0;
  const std::size_t end = std::size_t{count} + own_count();
  for (std::size_t k = threadIdx.x; k < end; k += 32) sum += in[k];
  out[rank()] = sum;
}
__global__ void turns_sum_by_pointer(const unsigned* in, unsigned* out, unsigned) {
  unsigned sum = 0;
  const unsigned* const end = in + 8 * own_count();
  for (const unsigned* at = in + threadIdx.x % 8; at < end; at += 8) sum = sum * 3 + *at;
  out[rank()] = sum;
}
__global__ void turns_two_loads(const unsigned* in, unsigned* out, unsigned count) {
  unsigned sum = 0;
  const unsigned end = count + 32 * own_count();
  for (unsigned k = threadIdx.x % 32; k < end; k += 32) sum += in[k] * in[k * 3 + 7];
  out[rank()] = sum;
}
__global__ void turns_largest(const unsigned* in, unsigned* out, unsigned count) {
  unsigned largest = 0;
  const unsigned end = count + 32 * own_count();
  for (unsigned k = threadIdx.x % 32; k < end; k += 32) {
    if (in[k] > largest) largest = in[k];
  }
  out[rank()] = largest;
}
__global__ void turns_staged(const unsigned* in, unsigned* out, unsigned count) {
  __shared__ unsigned words[1024];
  for (unsigned k = threadIdx.x; k < count; k += 96) words[k] = in[k];
  OUT_OF(words);
}
__global__ void turns_marked(const unsigned* in, unsigned* out, unsigned count) {
  __shared__ unsigned words[256];
  words[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned k = threadIdx.x; k < count; k += 96) words[in[k] & 63] = 1;
  OUT_OF(words);
}
__global__ void turns_stored(const unsigned*, unsigned* out, unsigned count) {
  for (unsigned k = threadIdx.x; k < count; k += 96) out[k] = 5;
}
__global__ void turns_copied(const unsigned* in, unsigned* out, unsigned count) {
  for (unsigned k = threadIdx.x; k < count; k += 96) out[k] = in[k];
}
__global__ void turns_stored_if(const unsigned* in, unsigned* out, unsigned count) {
  __shared__ unsigned words[1024];
  words[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned k = threadIdx.x; k < count; k += 96) {
    const unsigned word = in[k];
    if (word & 1) words[k] = word;
  }
  OUT_OF(words);
}
__global__ void turns_counted(const unsigned* in, unsigned* out, unsigned count) {
  __shared__ unsigned words[256];
  words[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned k = threadIdx.x; k < count; k += 96) atomicAdd(&words[in[k] & 63], 1u);
  OUT_OF(words);
}
__global__ void turns_in_turns(const unsigned* in, unsigned* out, unsigned rows) {
  unsigned sum = 0;
  for (unsigned row = threadIdx.x / 32; row < rows; row += 8) {
    for (unsigned k = threadIdx.x % 32; k < 300; k += 32) sum += in[row * 300 + k];
  }
  out[rank()] = sum;
}
__global__ void turns_column(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[23 * 32];
  for (unsigned k = threadIdx.x; k < 23 * 32; k += 256) words[k] = in[k];
  __syncthreads();
  unsigned sum = 0;
  const unsigned end = 32 * own_count();
  for (unsigned k = threadIdx.x % 32; k < end; k += 32) sum += words[k];
  out[rank()] = sum;
}

// --- whose turns can be counted: sixteen, then eight, then four, then one at a time

__global__ void turns_own_count(const unsigned* in, unsigned* out, unsigned) {
  unsigned sum = 0;
  const unsigned end = own_count();
  for (unsigned k = 0; k < end; ++k) sum += in[k * 32 + threadIdx.x];
  out[rank()] = sum;
}
__global__ void turns_own_row(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[2048];
  for (unsigned k = threadIdx.x; k < 2048; k += 256) words[k] = in[k];
  __syncthreads();
  unsigned sum = 0;
  const unsigned end = own_count();
  for (unsigned k = 0; k < end; ++k) sum += words[k * 32 + threadIdx.x];
  out[rank()] = sum;
}
__global__ void turns_own_range(const unsigned* in, unsigned* out, unsigned) {
  unsigned sum = 0;
  const unsigned begin = threadIdx.x * 24, end = begin + own_count();
  for (unsigned k = begin; k < end; ++k) sum += in[k];
  out[rank()] = sum;
}
__global__ void turns_own_range_wide(const unsigned* in, unsigned* out, unsigned) {
  unsigned sum = 0;
  const std::size_t begin = threadIdx.x * 24, end = begin + own_count();
  for (std::size_t k = begin; k < end; ++k) sum += in[k];
  out[rank()] = sum;
}
__global__ void turns_signed_clear(const unsigned*, unsigned* out, unsigned parameter) {
  const int count = static_cast<int>(parameter);
  __shared__ unsigned words[1024];
  for (int k = static_cast<int>(threadIdx.x); k < count; k += 96) words[k] = 3;
  OUT_OF(words);
}
__global__ void turns_signed_sum(const unsigned* in, unsigned* out, unsigned) {
  unsigned sum = 0;
  const int end = static_cast<int>(32 * own_count());
  for (int k = static_cast<int>(threadIdx.x % 32); k < end; k += 32) sum += in[k];
  out[rank()] = sum;
}
__global__ void turns_signed_stride(const unsigned* in, unsigned* out, unsigned parameter) {
  const int count = static_cast<int>(parameter);
  unsigned sum = 0;
  const int stride = static_cast<int>(blockDim.x);
  for (int k = static_cast<int>(threadIdx.x); k < count; k += stride) sum += in[k];
  out[rank()] = sum;
}
__global__ void turns_signed_float(const unsigned* in, unsigned* out, unsigned) {
  float sum = 0;
  const int end = static_cast<int>(32 * own_count());
  for (int k = static_cast<int>(threadIdx.x % 32); k < end; k += 32) sum += static_cast<float>(in[k] & 255);
  out[rank()] = static_cast<unsigned>(sum);
}
__global__ void turns_counted_ranges(const unsigned* in, unsigned* out, unsigned) {
  __shared__ unsigned words[256];
  words[threadIdx.x] = 0;
  __syncthreads();
  const std::size_t begin = threadIdx.x * 24, end = begin + own_count();
  for (std::size_t k = begin; k < end; ++k) atomicAdd(&words[in[k] & 63], 1u);
  OUT_OF(words);
}

#undef OUT_OF

constexpr Kernel uneven_turns_kernels[] = {
    {"turns_clear", 700, &launch<turns_clear>},
    {"turns_clear_constant", 0, &launch<turns_clear_constant>},
    {"turns_clear_by_eight", 0, &launch<turns_clear_by_eight>},
    {"turns_clear_by_block", 700, &launch<turns_clear_by_block>},
    {"turns_sum", 0, &launch<turns_sum>},
    {"turns_sum_wide", 300, &launch<turns_sum_wide>},
    {"turns_sum_by_pointer", 0, &launch<turns_sum_by_pointer>},
    {"turns_two_loads", 0, &launch<turns_two_loads>},
    {"turns_largest", 0, &launch<turns_largest>},
    {"turns_staged", 700, &launch<turns_staged>},
    {"turns_marked", 700, &launch<turns_marked>},
    {"turns_stored", 900, &launch<turns_stored>},
    {"turns_copied", 900, &launch<turns_copied>},
    {"turns_stored_if", 900, &launch<turns_stored_if>},
    {"turns_counted", 900, &launch<turns_counted>},
    {"turns_in_turns", 30, &launch<turns_in_turns>},
    {"turns_column", 0, &launch<turns_column>},
    {"turns_own_count", 0, &launch<turns_own_count>},
    {"turns_own_row", 0, &launch<turns_own_row>},
    {"turns_own_range", 0, &launch<turns_own_range>},
    {"turns_own_range_wide", 0, &launch<turns_own_range_wide>},
    {"turns_signed_clear", 700, &launch<turns_signed_clear>},
    {"turns_signed_sum", 0, &launch<turns_signed_sum>},
    {"turns_signed_stride", 1500, &launch<turns_signed_stride>},
    {"turns_signed_float", 0, &launch<turns_signed_float>},
    {"turns_counted_ranges", 0, &launch<turns_counted_ranges>},
};

}  // namespace

}  // namespace golden
