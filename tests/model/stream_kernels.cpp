// SPDX-License-Identifier: MIT
#include "stream_kernels.hpp"

#include "simulator/cuda/cuda.hpp"

__global__ void copy_words(const unsigned* in, unsigned* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void add_four_bytes(const unsigned char* in, unsigned* sum) {
  unsigned char bytes[4];
  for (unsigned i = 0; i < 4; ++i) bytes[i] = in[4 * threadIdx.x + i];
  unsigned own = 0;
  for (const unsigned char byte : bytes) own += byte;
  atomicAdd(sum, own);
}

__global__ void add_up(const unsigned* in, unsigned length, unsigned* sums) {
  unsigned own = 0;
  for (unsigned i = threadIdx.x; i < length; i += blockDim.x) own += in[i];
  sums[threadIdx.x] = own;
}

__global__ void add_floats_in_shared_memory(unsigned* out) {
  __shared__ float sums[8];
  if (threadIdx.x < 8) sums[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&sums[threadIdx.x / 4], 1.0f);
  __syncthreads();
  out[threadIdx.x] = static_cast<unsigned>(sums[threadIdx.x / 4]);
}

void count_in_shared_memory(unsigned* out) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1u);
  __syncthreads();
  if (threadIdx.x == 0) *out = count;
}

__global__ void count_twice(unsigned* words) {
  atomicAdd(&words[0], 1u);
  atomicAdd(&words[(blockIdx.x + 1) * 128 + threadIdx.x], 1u);
}

__global__ void count_in_own_copy(unsigned* words) {
  atomicAdd(&words[blockIdx.x * 128 + threadIdx.x * 4], 1u);
}

__global__ void take(unsigned* lock) {
  if (threadIdx.x == 0) atomicCAS(lock, 0u, 1u);
}

__global__ void exchange_values(unsigned* out) {
  const unsigned found = __match_any_sync(~0u, threadIdx.x % 3);
  const unsigned long long wide = __shfl_xor_sync(~0u, 1ull << threadIdx.x, 1);
  const unsigned next = __shfl_down_sync(~0u, found, 1);
  out[threadIdx.x] = next + __reduce_add_sync(~0u, found) + __ballot_sync(~0u, wide > 9);
}

__global__ void shuffle_in_halves(unsigned* out) {
  const unsigned mask = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
  out[threadIdx.x] = __shfl_xor_sync(mask, threadIdx.x, 1, 16);
}

__global__ void load_apart(const unsigned* in, unsigned stride, unsigned* out) {
  out[threadIdx.x] = in[threadIdx.x * stride];
}

__global__ void copy_bytes(const unsigned char* in, unsigned* out) { out[threadIdx.x] = in[threadIdx.x]; }

__global__ void add_or_subtract(unsigned* out) {
  __shared__ unsigned words[2];
  if (threadIdx.x < 2) words[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x % 2 == 0)
    atomicAdd(&words[0], 1u);
  else
    atomicSub(&words[1], 1u);
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x % 2];
}

__constant__ unsigned four_words[4] = {1, 2, 3, 4};

__global__ void add_constants(unsigned turns, unsigned* out) {
  unsigned sum = 0;
  for (unsigned turn = 0; turn < turns; ++turn) sum += four_words[(threadIdx.x + turn) % 4];
  out[threadIdx.x] = sum;
}

__global__ void load_apart_twice(const unsigned* in, unsigned stride, unsigned* out) {
  const unsigned first = in[threadIdx.x * stride];
  __syncthreads();
  out[threadIdx.x] = first + in[threadIdx.x * stride];
}

template <bool waits>
__global__ void load_sectors_in_turn(const unsigned* in, unsigned* out) {
  constexpr unsigned of_sector = 8;
  const unsigned* const piece = in + threadIdx.x / of_sector * 2 * of_sector + threadIdx.x % of_sector;
  const unsigned first = piece[0];
  if constexpr (waits) __syncthreads();
  out[threadIdx.x] = first + piece[of_sector];
}
template __global__ void load_sectors_in_turn<false>(const unsigned*, unsigned*);
template __global__ void load_sectors_in_turn<true>(const unsigned*, unsigned*);

__global__ void stage_words(const unsigned* in, unsigned* out) {
  constexpr unsigned turns = 4, threads = 32;
  __shared__ unsigned tile[turns * threads];
  for (unsigned k = 0; k < turns; ++k) tile[k * threads + threadIdx.x] = in[k * threads + threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

template <class Value>
__device__ void add_up_eight(unsigned* out) {
  constexpr unsigned values = 8;
  __shared__ __align__(16) Value rows[32][values];
  for (unsigned i = 0; i < values; ++i) rows[threadIdx.x][i] = static_cast<Value>(i);
  unsigned sum = 0;
  for (unsigned i = 0; i < values; ++i) sum += rows[threadIdx.x][i];
  out[threadIdx.x] = sum;
}

__global__ void add_up_rows(unsigned* out) { add_up_eight<unsigned>(out); }
__global__ void add_up_halves(unsigned* out) { add_up_eight<unsigned short>(out); }

__global__ void ask_and_add(unsigned* out) {
  __shared__ unsigned words[32];
  words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  unsigned sum = __any_sync(~0u, words[threadIdx.x ^ 1] > 3) ? 2 : 1;
  sum += words[threadIdx.x ^ 1];
  out[threadIdx.x] = sum;
}

__global__ void divide(const unsigned* in, unsigned* out) {
  const unsigned one = in[threadIdx.x], other = in[threadIdx.x + 32] | 1;
  out[threadIdx.x] =
      one / other + static_cast<unsigned>(static_cast<int>(one) % (static_cast<int>(other) | 1)) + one / 7;
}

__global__ void add_by_swaps(unsigned* out) {
  __shared__ unsigned words[32];
  words[threadIdx.x] = 0;
  __syncthreads();
  unsigned* const word = &words[threadIdx.x % 8];
  unsigned seen = *word, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(word, assumed, assumed + 1);
  } while (seen != assumed);
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x];
}
