// SPDX-License-Identifier: MIT
// One multiprocessor: L1, shared memory, issue, barriers.
#pragma once

#include <algorithm>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

// All 32 KiB that a warp goes through stay in L1. No load is of the same address as in the turn before, or
// the compiler would leave it out. Every turn goes through the same addresses, so that of two unrolled ones
// it would leave out the second.
static __global__ void l1_loads(const unsigned char* data, unsigned stride, long long* ticks) {
  const unsigned char* const own = data + (threadIdx.x % 32) * stride;
  unsigned sum = 0;
  const auto go_through = [&] {
#pragma unroll 1
    for (unsigned i = 0; i < repeats / 8; ++i) {
#pragma unroll
      for (unsigned k = 0; k < 8; ++k) sum += __ldca(own + ((i + k) % 8) * 4096);
    }
  };
  go_through();
  __syncthreads();
  const long long begin = clock64();
  go_through();
  __syncthreads();
  const long long end = clock64();
  if (sum == 0x12345678u) sink = sum;
  if (threadIdx.x == 0) *ticks = end - begin;
}

// Lane l adds to word (l / lanes_a_word) * word_stride.
template <bool increments>
__global__ void shared_atomics(unsigned lanes_a_word, unsigned word_stride, unsigned active,
                               long long* ticks) {
  __shared__ unsigned counts[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) counts[i] = 0;
  const unsigned lane = threadIdx.x % 32, addend = increments ? 1 : threadIdx.x | 1;
  unsigned* const own = counts + lane / lanes_a_word * word_stride % 1024;
  __syncthreads();
  const long long begin = clock64();
  if (lane < active) {
#pragma unroll 8
    for (unsigned i = 0; i < repeats; ++i) {
      if (increments)
        atomicAdd(own, 1u);
      else
        atomicAdd(own, addend);
    }
  }
  __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *ticks = end - begin;
}

template <unsigned chains>
__global__ void arithmetic(unsigned a, unsigned b, long long* ticks) {
  unsigned x[chains];
  for (unsigned c = 0; c < chains; ++c) x[c] = threadIdx.x + c;
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < repeats; i += 16) {
#pragma unroll
    for (unsigned k = 0; k < 16 / chains; ++k) {
#pragma unroll
      for (unsigned c = 0; c < chains; ++c)
        asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x[c]) : "r"(a), "r"(b));
    }
  }
  __syncthreads();
  const long long end = clock64();
  unsigned sum = 0;
  for (unsigned c = 0; c < chains; ++c) sum ^= x[c];
  if (sum == 0x12345678u) sink = sum;
  if (threadIdx.x == 0) *ticks = end - begin;
}

static __global__ void barriers(long long* ticks) {
  __syncthreads();
  const long long begin = clock64();
  for (unsigned i = 0; i < repeats; ++i) __syncthreads();
  const long long end = clock64();
  if (threadIdx.x == 0) *ticks = end - begin;
}

inline void one_multiprocessor(const unsigned char* memory) {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  const auto took = [&](double requests) {
    need(cudaDeviceSynchronize());
    need(cudaGetLastError());
    return double(*ticks) / requests;
  };
  for (unsigned warps : {1u, 8u, 32u}) {
    // behind 36 and 132 bytes lanes have banks of their own
    for (unsigned stride : {1u, 2u, 4u, 8u, 16u, 32u, 36u, 64u, 128u, 132u}) {
      for (int i = 0; i < 2; ++i) l1_loads<<<1, warps * 32>>>(memory, stride, ticks);
      say("l1_load",
          {{"lane_stride", double(stride)},
           {"lines", double(31 * stride / 128 + 1)},
           {"warps", double(warps)}},
          "cycles", took(double(repeats) * warps));
    }
    for (bool increments : {true, false}) {
      const auto one = [&](unsigned lanes_a_word, unsigned word_stride, unsigned active) {
        for (int i = 0; i < 2; ++i) {
          if (increments)
            shared_atomics<true><<<1, warps * 32>>>(lanes_a_word, word_stride, active, ticks);
          else
            shared_atomics<false><<<1, warps * 32>>>(lanes_a_word, word_stride, active, ticks);
        }
        say(increments ? "shared_increment" : "shared_add",
            {{"lanes_a_word", double(lanes_a_word)},
             {"word_stride", double(word_stride)},
             {"active", double(active)},
             {"warps", double(warps)}},
            "cycles", took(double(repeats) * warps));
      };
      for (unsigned lanes : {1u, 2u, 4u, 8u, 16u, 32u}) one(lanes, 1, 32);
      for (unsigned stride : {2u, 4u, 8u, 16u, 32u}) one(1, stride, 32);
      for (unsigned active : {1u, 8u, 16u}) one(1, 1, active);
      for (unsigned active : {1u, 8u, 16u}) one(32, 1, active);
    }
  }
  for (unsigned warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
    for (int i = 0; i < 2; ++i) arithmetic<1><<<1, warps * 32>>>(3, 5, ticks);
    say("issue", {{"chains", 1}, {"warps", double(warps)}}, "cycles", took(double(repeats) * warps));
    for (int i = 0; i < 2; ++i) arithmetic<4><<<1, warps * 32>>>(3, 5, ticks);
    say("issue", {{"chains", 4}, {"warps", double(warps)}}, "cycles", took(double(repeats) * warps));
    for (int i = 0; i < 2; ++i) barriers<<<1, warps * 32>>>(ticks);
    say("barrier", {{"warps", double(warps)}}, "cycles", took(repeats));
  }
  cudaFree(ticks);
}

}  // namespace calibrate
