// SPDX-License-Identifier: MIT
// What a load takes from L2 or DRAM while another warp's load, made before it, is still under way there.
#pragma once

#include <cstddef>

#include "model/calibrate/measurement.cuh"

namespace calibrate {

// Of a block of two warps the first loads a sector of a place that is new. The other warp loads the one
// `offset` bytes further on, `delay` cycles later, and adds to `ticks` what that takes.
static __global__ void sectors_of_two_warps(const unsigned char* data, std::size_t stride, unsigned turns,
                                            unsigned offset, unsigned delay, unsigned long long* ticks) {
  const unsigned warp = threadIdx.x / 32;
  unsigned sum = 0;
  unsigned long long taken = 0;
  for (unsigned t = 0; t < turns; ++t) {
    const unsigned char* const place =
        data + (std::size_t{t} * gridDim.x + blockIdx.x) * stride + threadIdx.x % 32;
    __syncthreads();
    const long long begin = clock64();
    while (warp == 1 && clock64() - begin < delay) {
    }
    const long long asked = clock64();
    sum += *static_cast<const volatile unsigned char*>(place + warp * offset);
    // The clock is read when the sum is known.
    long long come;
    asm volatile("{ .reg .u32 used; add.u32 used, %1, 1; mov.u64 %0, %%clock64; }"
                 : "=l"(come)
                 : "r"(sum)
                 : "memory");
    taken += static_cast<unsigned long long>(come - asked);
  }
  if (threadIdx.x == 32) atomicAdd(ticks, taken);
  if (sum == 0x12345678u) sink = sum;
}

inline void pieces(const unsigned char* memory, std::size_t bytes) {
  constexpr unsigned turns = 64;
  constexpr std::size_t stride = 4096;
  const unsigned blocks = multiprocessors();
  unsigned long long* ticks;
  need(cudaMallocManaged(&ticks, sizeof *ticks));
  std::size_t fresh =
      0;  // each measurement goes on where the one before has ended, so that L2 has nothing of it
  for (unsigned offset : {0u, 32u, 64u}) {
    for (unsigned delay : {0u, 100u, 200u, 300u, 400u, 500u, 800u}) {
      const std::size_t needed = stride * turns * blocks;
      if (fresh + needed > bytes) fresh = 0;
      *ticks = 0;
      sectors_of_two_warps<<<blocks, 64>>>(memory + fresh, stride, turns, offset, delay, ticks);
      need(cudaDeviceSynchronize());
      fresh += needed;
      say("second_sector", {{"offset", offset}, {"delay", delay}}, "cycles",
          static_cast<double>(*ticks) / turns / blocks);
    }
  }
  need(cudaFree(ticks));
}

}  // namespace calibrate
