// SPDX-License-Identifier: MIT
// Times a launch on the GPU (docs/timing.md gives the reasons):
//
//   the host              the stream
//   read_through_l2       reads twice the L2 cache: no byte of the input is in it, and no line is dirty;
//                         left out where the cache is to stay warm
//   hold                  a kernel that waits for the host
//   start, launch, stop   stand in the queue behind it, so that no gap between the host's calls is timed
//   probe                 counts the multiprocessors' cycles over 20 microseconds
//   release               the waiting kernel ends, and the rest runs without the host
#pragma once

#include <functional>

#include "runner/gpu/cuda.hpp"
#include "runner/gpu/timing_kernels.hpp"

namespace runner {

struct TimedLaunch {
  double time_ms;    // between the events around the launch
  double clock_mhz;  // of the multiprocessors, right after it
};

// All functions throw CudaError.
class Stopwatch {
 public:
  Stopwatch();
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  // `launch` puts the kernel on the default stream and waits for nothing. It must have run before: the first
  // launch of a kernel loads it, and would wait for the stream.
  TimedLaunch time(const std::function<void()>& launch, bool warm_cache);

 private:
  // Memory that the host and the device both see.
  struct Shared {
    volatile unsigned released;
    unsigned sink;
    ClockReading clock;
  };

  std::size_t cold_bytes_;
  DeviceMemory cold_;
  Shared* shared_ = nullptr;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace runner
