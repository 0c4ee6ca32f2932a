// SPDX-License-Identifier: MIT
// What all measurements share: the GPU, the time of a launch, and the line in which a number is printed.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace calibrate {

inline void need(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "calibrate: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

constexpr unsigned samples = 7;
constexpr unsigned repeats = 2048;  // a kernel on one multiprocessor repeats what it measures so often
inline cudaDeviceProp device;
inline double clock_mhz;

// The median of several launches, in nanoseconds, after one that is not counted.
inline double time_ns(const std::function<void()>& launch) {
  cudaEvent_t begin, end;
  need(cudaEventCreate(&begin));
  need(cudaEventCreate(&end));
  launch();
  std::vector<float> times;
  for (unsigned i = 0; i < samples; ++i) {
    need(cudaEventRecord(begin));
    launch();
    need(cudaEventRecord(end));
    need(cudaEventSynchronize(end));
    float ms = 0;
    need(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  need(cudaGetLastError());
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] * 1e6;
}

using Setting = std::vector<std::pair<const char*, double>>;

// How each line begins.
inline std::string head(const char* what) {
  char text[400];
  std::snprintf(
      text, sizeof text,
      "{\"schema\":1,\"kind\":\"calibration\",\"gpu\":\"%s\",\"multiprocessors\":%d,\"clock_mhz\":%.0f,"
      "\"what\":\"%s\"",
      device.name, device.multiProcessorCount, clock_mhz, what);
  return text;
}

inline void say(const char* what, const Setting& setting, const char* unit, double value) {
  std::printf("%s", head(what).c_str());
  for (const auto& [key, number] : setting) std::printf(",\"%s\":%.10g", key, number);
  std::printf(",\"%s\":%.6g}\n", unit, value);
  std::fflush(stdout);
}

inline unsigned multiprocessors() { return static_cast<unsigned>(device.multiProcessorCount); }
inline double cycles(double ns) { return ns * clock_mhz * 1e-3; }

// What is computed goes here if it has a value that it never has: so the compiler does not leave it out.
static __device__ unsigned sink;

}  // namespace calibrate
