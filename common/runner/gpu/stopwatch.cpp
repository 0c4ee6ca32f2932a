// SPDX-License-Identifier: MIT
#include "runner/gpu/stopwatch.hpp"

namespace runner {

namespace {

std::size_t l2_bytes() {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
  return static_cast<std::size_t>(bytes);
}

}  // namespace

Stopwatch::Stopwatch() : cold_bytes_(2 * l2_bytes()), cold_(cold_bytes_) {
  check(cudaMemset(cold_.data(), 0, cold_bytes_));
  check(cudaHostAlloc(reinterpret_cast<void**>(&shared_), sizeof(Shared), cudaHostAllocMapped));
  check(cudaEventCreate(&start_));
  check(cudaEventCreate(&stop_));
  // Loads the kernels; nothing is held.
  shared_->released = 1;
  time([] {}, false);
}

Stopwatch::~Stopwatch() {
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
  cudaFreeHost(shared_);
}

TimedLaunch Stopwatch::time(const std::function<void()>& launch, bool warm_cache) {
  // Whatever fails: a stream that is held must be let go.
  struct Release {
    Shared* shared;
    ~Release() { shared->released = 1; }
  };
  if (!warm_cache) {
    const NvtxRange range("cool the L2 cache");
    check(launch_read(cold_.data(), cold_bytes_, &shared_->sink));
    check(cudaDeviceSynchronize());
  }
  {
    const Release release{shared_};
    check(launch_hold(&shared_->released));
    check(cudaEventRecord(start_));
    launch();
    check(cudaEventRecord(stop_));
    check(launch_clock_probe(&shared_->clock));
  }
  check(cudaDeviceSynchronize());
  shared_->released = 0;
  float elapsed = 0;
  check(cudaEventElapsedTime(&elapsed, start_, stop_));
  const ClockReading clock = shared_->clock;
  return {elapsed, clock.nanoseconds > 0
                       ? 1000.0 * static_cast<double>(clock.cycles) / static_cast<double>(clock.nanoseconds)
                       : 0};
}

}  // namespace runner
