// SPDX-License-Identifier: MIT
// The peer that everybody may use: cub::DeviceReduce of the CUDA Toolkit, with its own sum, maximum and
// minimum of numbers, and with the workbook's operators where it has none that keeps their rules.
#include <cub/device/device_reduce.cuh>

#include "problems/reduction/unit/exercise.hpp"
#include "runner/launch_outcome.hpp"

namespace reduction {

namespace {

template <class Operator>
struct Combine {
  using Value = typename Operator::value;
  __host__ __device__ Value operator()(const Value& a, const Value& b) const {
    return Operator::combine(a, b);
  }
};

template <class Operator>
cudaError_t reduce(Operator, void* temporary, std::size_t& bytes, const typename Operator::value* data,
                   typename Operator::value* result, long long length) {
  return cub::DeviceReduce::Reduce(temporary, bytes, data, result, length, Combine<Operator>(),
                                   Operator::identity());
}

cudaError_t reduce(Sum, void* temporary, std::size_t& bytes, const unsigned* data, unsigned* result,
                   long long length) {
  return cub::DeviceReduce::Sum(temporary, bytes, data, result, length);
}

cudaError_t reduce(SumFloat, void* temporary, std::size_t& bytes, const float* data, float* result,
                   long long length) {
  return cub::DeviceReduce::Sum(temporary, bytes, data, result, length);
}

cudaError_t reduce(Maximum, void* temporary, std::size_t& bytes, const unsigned* data, unsigned* result,
                   long long length) {
  return cub::DeviceReduce::Max(temporary, bytes, data, result, length);
}

cudaError_t reduce(Minimum, void* temporary, std::size_t& bytes, const unsigned* data, unsigned* result,
                   long long length) {
  return cub::DeviceReduce::Min(temporary, bytes, data, result, length);
}

struct Cub {
  template <class Operator>
  static void launch(const LaunchShape&, const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials, runner::LaunchOutcome& outcome) {
    // Made in the first run, which is a warm-up.
    static std::size_t bytes = 0;
    static void* temporary = nullptr;
    std::size_t needed = 0;
    const auto elements = static_cast<long long>(length);
    outcome.error = reduce(Operator(), nullptr, needed, data, partials, elements);
    if (outcome.error == cudaSuccess && (!temporary || needed > bytes)) {
      cudaFree(temporary);
      bytes = needed;
      outcome.error = cudaMalloc(&temporary, bytes);
    }
    if (outcome.error == cudaSuccess)
      outcome.error = reduce(Operator(), temporary, bytes, data, partials, elements);
  }
};

LaunchShape no_shape(std::size_t) { return {1, 1}; }

}  // namespace
}  // namespace reduction

const runner::Exercise runner::exercise_under_test =
    reduction::exercise<reduction::Cub>("peers", "cub", runner::Outputs::one, &reduction::no_shape);
