// SPDX-License-Identifier: MIT
// The peer that everybody may use: cub::DeviceHistogram of the CUDA Toolkit. It clears the histogram itself,
// in a launch of its own, which is part of its time.
#include <cub/device/device_histogram.cuh>

#include "problems/histogram/unit/exercise.hpp"
#include "runner/launch_outcome.hpp"

namespace histogram {

namespace {

// Bytes are compared with the levels as ints: the last level of `bytes`, 256, is no byte.
using Level = int;

cudaError_t count(Letters4, void* temporary, std::size_t& bytes, const unsigned char* data,
                  unsigned int* histo, long long length) {
  // The last bin is two letters wide, so the levels are not evenly spaced.
  static const Level* const levels = [] {
    constexpr Level values[] = {'a', 'e', 'i', 'm', 'q', 'u', 'y', 'z' + 1};
    void* on_device = nullptr;
    if (cudaMalloc(&on_device, sizeof values) != cudaSuccess) return static_cast<const Level*>(nullptr);
    cudaMemcpy(on_device, values, sizeof values, cudaMemcpyHostToDevice);
    return static_cast<const Level*>(on_device);
  }();
  return cub::DeviceHistogram::HistogramRange(temporary, bytes, data, histo, Letters4::bins + 1, levels,
                                              length);
}

cudaError_t count(Letters, void* temporary, std::size_t& bytes, const unsigned char* data,
                  unsigned int* histo, long long length) {
  return cub::DeviceHistogram::HistogramEven(temporary, bytes, data, histo, Letters::bins + 1, Level{'a'},
                                             Level{'z' + 1}, length);
}

cudaError_t count(Bytes, void* temporary, std::size_t& bytes, const unsigned char* data, unsigned int* histo,
                  long long length) {
  return cub::DeviceHistogram::HistogramEven(temporary, bytes, data, histo, Bytes::bins + 1, Level{0},
                                             Level{256}, length);
}

struct Cub {
  template <class Binning>
  static void launch(const LaunchShape&, const unsigned char* data, std::size_t length, Counter* histo,
                     runner::LaunchOutcome& outcome) {
    static std::size_t bytes = 0;
    static void* temporary = nullptr;
    std::size_t needed = 0;
    outcome.error = count(Binning(), nullptr, needed, data, histo, static_cast<long long>(length));
    if (outcome.error == cudaSuccess && (!temporary || needed > bytes)) {
      cudaFree(temporary);
      bytes = needed;
      outcome.error = cudaMalloc(&temporary, bytes);
    }
    if (outcome.error == cudaSuccess)
      outcome.error = count(Binning(), temporary, bytes, data, histo, static_cast<long long>(length));
  }
};

LaunchShape no_shape(std::size_t) { return {1, 1}; }

}  // namespace
}  // namespace histogram

const runner::Exercise runner::exercise_under_test =
    histogram::exercise<histogram::Cub>("peers", "cub", runner::Outputs::one, &histogram::no_shape);
