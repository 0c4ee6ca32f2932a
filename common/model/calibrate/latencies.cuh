// SPDX-License-Identifier: MIT
// Latencies: one thread follows a chain.
#pragma once

#include <cstddef>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

enum class Through { l1, l2, shared };

template <Through through>
__global__ void chase(const unsigned* chain, unsigned begin_at, unsigned words, unsigned steps,
                      long long* ticks) {
  __shared__ unsigned copy[through == Through::shared ? 1024 : 1];
  if (through == Through::shared) {
    for (unsigned i = 0; i < 1024; ++i) copy[i] = (i + 33) % 1024;
  }
  unsigned at = begin_at;
  const auto follow = [&] {
    if (through == Through::shared)
      at = copy[at];
    else if (through == Through::l1)
      at = __ldca(chain + at);
    else
      at = __ldcg(chain + at);
  };
  if (through == Through::l1)
    for (unsigned i = 0; i < words / 32; ++i) follow();
  const long long begin = clock64();
  for (unsigned i = 0; i < steps; ++i) follow();
  const long long end = clock64();
  if (at == ~0u) sink = at;
  *ticks = (end - begin) / steps;
}

static __global__ void fill_chain(unsigned* chain, std::size_t words, std::size_t stride) {
  const std::size_t count = words / stride;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    chain[i * stride] =
        static_cast<unsigned>((i + 12'345'677) % count * stride);  // prime: every element comes
}

template <Through through>
__global__ void chase_atomic(unsigned* word, unsigned steps, long long* ticks) {
  __shared__ unsigned copy;
  unsigned* const own = through == Through::shared ? &copy : word;
  *own = 0;
  unsigned at = 0;
  const long long begin = clock64();
  for (unsigned i = 0; i < steps; ++i) at = atomicAdd(own, at & 1);
  const long long end = clock64();
  if (at == ~0u) sink = at;
  *ticks = (end - begin) / steps;
}

inline void latencies(unsigned* memory, std::size_t bytes) {
  long long* ticks;
  need(cudaMallocManaged(&ticks, 8));
  const auto one = [&](const char* what, auto kernel, std::size_t footprint, std::size_t stride,
                       unsigned steps, bool from_dram = false) {
    fill_chain<<<1024, 256>>>(memory, footprint / 4, stride / 4);
    const auto words = static_cast<unsigned>(footprint / 4);
    // The second launch of two that begin alike finds in L2 what the first has brought there; of DRAM the
    // other half of the chain.
    for (unsigned i = 0; i < 2; ++i)
      kernel<<<1, 1>>>(memory, from_dram ? i * (words / 2) : 0, words, steps, ticks);
    need(cudaDeviceSynchronize());
    say("latency", {{"bytes", double(footprint)}}, what, double(*ticks));
  };
  one("shared_cycles", chase<Through::shared>, 4096, 128, 4096);
  one("l1_cycles", chase<Through::l1>, 16384, 128, 4096);
  one("l2_cycles", chase<Through::l2>, std::size_t{8} << 20, 4096, 16384);
  // more sectors than L2 holds
  one("dram_cycles", chase<Through::l2>, bytes, 256, 16384, true);
  for (int i = 0; i < 2; ++i) chase_atomic<Through::l2><<<1, 1>>>(memory, 4096, ticks);
  need(cudaDeviceSynchronize());
  say("latency", {}, "atomic_cycles", double(*ticks));
  for (int i = 0; i < 2; ++i) chase_atomic<Through::shared><<<1, 1>>>(memory, 4096, ticks);
  need(cudaDeviceSynchronize());
  say("latency", {}, "shared_atomic_cycles", double(*ticks));
  cudaFree(ticks);
}

}  // namespace calibrate
