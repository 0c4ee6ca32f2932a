// SPDX-License-Identifier: MIT
// Whether operations of a warp wait for the unit that serves shared memory, or for the one that reads special
// registers.
#pragma once

#include <cstdio>

#include "model/calibrate/exchanges.cuh"
#include "model/calibrate/measurement.cuh"

namespace calibrate {

enum class Beside { nothing, loads, atomics, special_registers };

// In each turn an operation, if `operates`, and `accesses` accesses to shared memory of `wavefronts` each.
// None waits for what another one gives.
template <Exchange exchange, bool operates, Beside beside, int accesses>
__global__ void both_of(unsigned groups, unsigned wavefronts, long long* ticks) {
  __shared__ unsigned words[2048];
  for (unsigned i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = i;
  const unsigned lane = threadIdx.x % 32, value = lane % groups,
                 address = static_cast<unsigned>(__cvta_generic_to_shared(words + lane * wavefronts));
  unsigned sum = 0;
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (unsigned i = 0; i < repeats; ++i) {
    unsigned found = 0;
    if constexpr (operates && exchange == Exchange::match_any)
      asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(found) : "r"(value));
    if constexpr (operates && exchange == Exchange::shuffle)
      asm volatile("shfl.sync.idx.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(found) : "r"(value));
#if __CUDA_ARCH__ >= 800
    if constexpr (operates && exchange == Exchange::reduce_add)
      asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(found) : "r"(value));
#endif
    sum ^= found;
#pragma unroll
    for (int k = 0; k < accesses; ++k) {
      if constexpr (beside == Beside::loads) {
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(found) : "r"(address));
        sum ^= found;
      }
      if constexpr (beside == Beside::special_registers) {
        asm volatile("mov.u32 %0, %%smid;" : "=r"(found));
        sum ^= found;
      }
      if constexpr (beside == Beside::atomics)
        asm volatile("red.shared.add.u32 [%0], 1;" : : "r"(address) : "memory");
    }
  }
  __syncthreads();
  const long long end = clock64();
  if (sum == 0x12345678u) sink = sum;
  if (threadIdx.x == 0) *ticks = end - begin;
}

template <Exchange exchange, bool operates, Beside beside, int accesses>
void measure_both(const char* name, unsigned groups, unsigned wavefronts) {
  constexpr unsigned warps = 32;
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (int i = 0; i < 2; ++i)
    both_of<exchange, operates, beside, accesses><<<1, warps * 32>>>(groups, wavefronts, ticks);
  need(cudaDeviceSynchronize());
  std::printf("%s,\"operation\":\"%s\",\"values\":%u,\"beside\":\"%s\"", head("both").c_str(),
              operates ? name : "none", operates ? groups : 0,
              beside == Beside::nothing ? "nothing"
              : beside == Beside::loads ? "loads"
                                        : "atomics");
  std::printf(",\"accesses\":%d,\"wavefronts\":%u,\"cycles\":%.6g}\n", accesses, wavefronts,
              double(*ticks) / (double(repeats) * warps));
  std::fflush(stdout);
  need(cudaFree(ticks));
}

template <Exchange exchange, bool operates>
void pipes_of(const char* name, unsigned groups) {
  measure_both<exchange, operates, Beside::special_registers, 1>(name, groups, 1);
  measure_both<exchange, operates, Beside::special_registers, 2>(name, groups, 1);
  for (unsigned wavefronts : {1u, 4u, 8u}) {
    measure_both<exchange, operates, Beside::loads, 1>(name, groups, wavefronts);
    measure_both<exchange, operates, Beside::loads, 4>(name, groups, wavefronts);
    measure_both<exchange, operates, Beside::atomics, 1>(name, groups, wavefronts);
    measure_both<exchange, operates, Beside::atomics, 4>(name, groups, wavefronts);
  }
}

template <Exchange exchange>
void pipes_of(const char* name, unsigned groups) {
  measure_both<exchange, true, Beside::nothing, 0>(name, groups, 1);
  pipes_of<exchange, true>(name, groups);
}

inline void pipes() {
  pipes_of<Exchange::shuffle, false>("none", 32);
  pipes_of<Exchange::shuffle>("shuffle", 32);
  for (unsigned groups : {1u, 4u, 8u}) pipes_of<Exchange::match_any>("match_any", groups);
  if (device.major >= 8) pipes_of<Exchange::reduce_add>("reduce_add", 32);
}

}  // namespace calibrate
