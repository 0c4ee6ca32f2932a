// SPDX-License-Identifier: MIT
// The kernels that the stopwatch runs around the one that it times. All run on the default stream.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace runner {

// How long a held stream waits at most: if a call of CUDA's turns out to wait for the stream, all go on after
// that.
constexpr unsigned long long longest_hold_ns = 200'000'000;

// Lets what follows on the stream wait until the host writes something to `released` (memory that both see).
cudaError_t launch_hold(const volatile unsigned* released);

// Reads `bytes` bytes (a multiple of 16) and keeps nothing, so that the L2 cache holds clean lines of this
// buffer. `sink` is never written; the compiler cannot know.
cudaError_t launch_read(const unsigned char* data, std::size_t bytes, unsigned* sink);

struct ClockReading {
  unsigned long long cycles, nanoseconds;
};

// Counts a multiprocessor's cycles over some 20 microseconds.
cudaError_t launch_clock_probe(ClockReading* reading);

}  // namespace runner
