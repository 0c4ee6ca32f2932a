// SPDX-License-Identifier: MIT
// Which warp a scheduler takes, of several that could go on: when the warps end that all have as much to do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

// What keeps a multiprocessor busy: a scheduler's instructions, or shared memory, of which each access has
// four wavefronts.
enum class Busy { multiplications, shared_atomics, shared_loads };

// In each turn a warp loads, keeps the multiprocessor busy for 200 multiplications or 50 accesses, and adds
// in shared memory. `ends`: for each warp, the cycles until it is done.
template <Busy busy>
__global__ void long_turns(const unsigned* data, std::size_t words, unsigned turns, long long* ends) {
  constexpr unsigned loads = 4, multiplications = 200, accesses = 50;
  __shared__ unsigned table[256];
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) table[i] = 0;
  __syncthreads();
  const long long begin = clock64();
  unsigned sum = threadIdx.x;
  std::size_t at = std::size_t{blockIdx.x} * blockDim.x * loads + threadIdx.x;
#pragma unroll 1
  for (unsigned t = 0; t < turns; ++t) {
    unsigned values[loads];
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) values[k] = data[(at + k * blockDim.x) % words];
    at += std::size_t{gridDim.x} * blockDim.x * loads;
#pragma unroll
    for (unsigned k = 0; k < loads; ++k) sum += values[k];
    if constexpr (busy == Busy::multiplications) {
#pragma unroll
      for (unsigned k = 0; k < multiplications; ++k)
        asm volatile("mad.lo.u32 %0, %0, 3, %1;" : "+r"(sum) : "r"(k));
    } else {
      unsigned* const own = table + threadIdx.x % 32 * 4;
#pragma unroll
      for (unsigned k = 0; k < accesses; ++k) {
        if constexpr (busy == Busy::shared_atomics) atomicAdd(own + k, 1u);
        if constexpr (busy == Busy::shared_loads) sum += *static_cast<volatile unsigned*>(own + k);
      }
    }
    atomicAdd(&table[sum % 256], 1u);
  }
  const long long end = clock64();
  if (threadIdx.x % 32 == 0) ends[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = end - begin;
  __syncthreads();
  if (sum + table[threadIdx.x % 256] == 0x12345678u) sink = sum;
}

// Of each multiprocessor's blocks: the cycles after which the mean block's first and last warps end, and the
// first and last of all warps.
template <Busy busy>
void turns_of(const char* name, const unsigned* memory, std::size_t words) {
  constexpr unsigned turns = 500;
  for (const auto& [block, resident] : {std::pair{1024u, 1u}, std::pair{1024u, 2u}, std::pair{256u, 8u}}) {
    const unsigned grid = multiprocessors() * resident, warps = block / 32;
    long long* ends;
    need(cudaMallocManaged(&ends, sizeof *ends * grid * warps));
    for (int i = 0; i < 2; ++i) long_turns<busy><<<grid, block>>>(memory, words, turns, ends);
    need(cudaDeviceSynchronize());
    double first = 0, last = 0;
    for (unsigned b = 0; b < grid; ++b) {
      const auto [least, most] = std::minmax_element(ends + b * warps, ends + (b + 1) * warps);
      first += static_cast<double>(*least) / grid;
      last += static_cast<double>(*most) / grid;
    }
    const auto [least, most] = std::minmax_element(ends, ends + grid * warps);
    const auto tell = [&](const char* what, double value) {
      std::printf("%s,\"busy\":\"%s\"", head(what).c_str(), name);
      std::printf(",\"block\":%u,\"resident\":%u,\"cycles\":%.6g}\n", block, resident, value);
    };
    tell("first_warp_of_block_ends", first);
    tell("last_warp_of_block_ends", last);
    tell("first_warp_ends", static_cast<double>(*least));
    tell("last_warp_ends", static_cast<double>(*most));
    need(cudaFree(ends));
  }
}

inline void turns_of_warps(const unsigned* memory, std::size_t words) {
  turns_of<Busy::multiplications>("multiplications", memory, words);
  turns_of<Busy::shared_atomics>("shared_atomics", memory, words);
  turns_of<Busy::shared_loads>("shared_loads", memory, words);
}

}  // namespace calibrate
