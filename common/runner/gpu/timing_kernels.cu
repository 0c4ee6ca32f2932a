// SPDX-License-Identifier: MIT
#include "runner/gpu/timing_kernels.hpp"

namespace runner {

namespace {

__device__ unsigned long long globaltimer_ns() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void hold(const volatile unsigned* released) {
  const unsigned long long deadline = globaltimer_ns() + longest_hold_ns;
  while (*released == 0 && globaltimer_ns() < deadline) {
  }
}

__global__ void read(const uint4* data, std::size_t words, unsigned* sink) {
  unsigned seen = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < words;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const uint4 word = data[i];
    seen |= word.x | word.y | word.z | word.w;
  }
  // The buffer holds zeros.
  if (seen != 0) *sink = seen;
}

// The timer may tick as seldom as once a microsecond, so the measurement goes from tick to tick.
__global__ void probe_clock(ClockReading* reading) {
  constexpr unsigned long long shortest_ns = 20'000;
  const unsigned long long before = globaltimer_ns();
  unsigned long long first = before;
  while (first == before) first = globaltimer_ns();
  const long long first_cycle = clock64();
  unsigned long long last = first;
  while (last < first + shortest_ns) last = globaltimer_ns();
  reading->cycles = static_cast<unsigned long long>(clock64() - first_cycle);
  reading->nanoseconds = last - first;
}

}  // namespace

cudaError_t launch_hold(const volatile unsigned* released) {
  hold<<<1, 1>>>(released);
  return cudaGetLastError();
}

cudaError_t launch_read(const unsigned char* data, std::size_t bytes, unsigned* sink) {
  read<<<1024, 256>>>(reinterpret_cast<const uint4*>(data), bytes / sizeof(uint4), sink);
  return cudaGetLastError();
}

cudaError_t launch_clock_probe(ClockReading* reading) {
  probe_clock<<<1, 1>>>(reading);
  return cudaGetLastError();
}

}  // namespace runner
