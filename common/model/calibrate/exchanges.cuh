// SPDX-License-Identifier: MIT
// Operations of a warp.
#pragma once

#include <cstdio>
#include <vector>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

enum class Exchange { shuffle, ballot, match_any, match_all, reduce_add, reduce_max };

// One operation after the other: each takes what the one before gave, or, with four chains, what the fourth
// before gave. `groups`: how many different values the lanes bring.
template <Exchange exchange, unsigned chains>
__global__ void exchanges(unsigned groups, long long* ticks) {
  const unsigned lane = threadIdx.x % 32;
  unsigned x[chains];
  for (unsigned c = 0; c < chains; ++c) x[c] = lane % groups + c * 64;
  const auto once = [&](unsigned value) {
    int all = 0;
    if constexpr (exchange == Exchange::shuffle) return __shfl_sync(~0u, value, (lane + 1) % 32);
    // Nobody knows that these are never 0, and the lanes keep their own values.
    if constexpr (exchange == Exchange::ballot)
      return __ballot_sync(~0u, value != ~0u) == 0 ? value + 1 : value;
    if constexpr (exchange == Exchange::match_any)
      return __match_any_sync(~0u, value) == 0 ? value + 1 : value;
    if constexpr (exchange == Exchange::match_all)
      return __match_all_sync(~0u, value, &all) == 1 ? value + 1 : value;
#if __CUDA_ARCH__ >= 800
    if constexpr (exchange == Exchange::reduce_add) return __reduce_add_sync(~0u, value);
    if constexpr (exchange == Exchange::reduce_max) return __reduce_max_sync(~0u, value);
#endif
    return value;
  };
  __syncthreads();
  const long long begin = clock64();
#pragma unroll 4
  for (unsigned i = 0; i < repeats; i += chains) {
#pragma unroll
    for (unsigned c = 0; c < chains; ++c) x[c] = once(x[c]);
  }
  __syncthreads();
  const long long end = clock64();
  unsigned sum = 0;
  for (unsigned c = 0; c < chains; ++c) sum ^= x[c];
  if (sum == 0x12345678u) sink = sum;
  if (threadIdx.x == 0) *ticks = end - begin;
}

template <Exchange exchange, unsigned chains>
void measure_exchange(const char* name, const std::vector<unsigned>& groups) {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  for (unsigned of : groups) {
    for (unsigned warps : {1u, 2u, 4u, 8u, 16u, 32u}) {
      for (int i = 0; i < 2; ++i) exchanges<exchange, chains><<<1, warps * 32>>>(of, ticks);
      need(cudaDeviceSynchronize());
      std::printf("%s,\"operation\":\"%s\"", head("exchange").c_str(), name);
      std::printf(",\"chains\":%u,\"values\":%u,\"warps\":%u,\"cycles\":%.6g}\n", chains, of, warps,
                  double(*ticks) / (double(repeats) * warps));
      std::fflush(stdout);
    }
  }
  cudaFree(ticks);
}

template <Exchange kind>
void exchange_of(const char* name, const std::vector<unsigned>& groups) {
  measure_exchange<kind, 1>(name, groups);
  measure_exchange<kind, 4>(name, groups);
}

inline void exchange_parts() {
  exchange_of<Exchange::shuffle>("shuffle", {32});
  exchange_of<Exchange::ballot>("ballot", {32});
  exchange_of<Exchange::match_any>("match_any", {1, 2, 4, 8, 16, 32});
  exchange_of<Exchange::match_all>("match_all", {1, 2, 32});
  if (device.major >= 8) {
    exchange_of<Exchange::reduce_add>("reduce_add", {32});
    exchange_of<Exchange::reduce_max>("reduce_max", {32});
  }
}

}  // namespace calibrate
