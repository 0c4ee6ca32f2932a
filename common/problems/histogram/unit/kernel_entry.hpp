// SPDX-License-Identifier: MIT
// Ends the unit of an exercise whose file defines `histogram_kernel` and `launch_shape`: describes them to
// the runner. This is the one place where a student's kernel is launched.
#pragma once

#include "problems/histogram/unit/exercise.hpp"
#if defined(__CUDACC__)
#include "runner/launch_outcome.hpp"
#endif

#undef no_sanitize  // refused in the file before (simulator/cuda/unsupported.hpp)

namespace histogram {

struct KernelEntry {
  // Compilers show this line where the student's function is declared in another way, and it names the
  // function.
  static constexpr LaunchShape (*shape_function)(std::size_t) = &launch_shape;

  // An `int length` would take the call as well, and lose the upper half of what a long input hands over.
  // Only a function can be handed over, which nvcc can launch, and of three parameters: one with a default
  // would do for nvcc alone.
  template <class Returned, class Data, class Length, class Output>
  static constexpr bool takes_every_length(Returned (&)(Data, Length, Output)) {
    return sizeof(Length) >= sizeof(std::size_t);
  }

#if defined(__CUDACC__)

  template <class Binning>
  static void launch(const LaunchShape& shape, const unsigned char* data, std::size_t length, Counter* histo,
                     runner::LaunchOutcome& outcome) {
    static_assert(takes_every_length(histogram_kernel<Binning>),
                  "histogram_kernel takes a length of fewer bits than a std::size_t has");
    // More than 48 KiB of dynamic shared memory has to be asked for.
    constexpr std::size_t granted_without_asking = 48 * 1024;
    if (shape.shared_bytes > granted_without_asking) {
      outcome.error =
          cudaFuncSetAttribute(histogram_kernel<Binning>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.shared_bytes));
      if (outcome.error != cudaSuccess) return;
    }
    outcome.kernel = reinterpret_cast<const void*>(&histogram_kernel<Binning>);
    histogram_kernel<Binning><<<shape.grid, shape.block, shape.shared_bytes>>>(data, length, histo);
    outcome.error = cudaGetLastError();
  }

#else

  struct Arguments {
    const unsigned char* data;
    std::size_t length;
    Counter* histo;
  };

  // Not instrumented: the arguments come from the host's memory here, on a GPU they are in constant memory.
  // Where g++ is told so, the kernel is jumped to, and returns to where the simulator has called from
  // (simulator/fiber.hpp).
  template <class Binning>
#if !defined(__clang__)
  __attribute__((__optimize__("optimize-sibling-calls")))
#endif
  __attribute__((no_sanitize("thread"), noinline)) static void
  run_thread(const void* arguments) {
    const auto& [data, length, histo] = *static_cast<const Arguments*>(arguments);
    // Never evaluated: compilers tell best of parameters that do not fit where the function is called by
    // name.
    static_cast<void>(sizeof((histogram_kernel<Binning>(data, length, histo), 0)));
    // Nobody sees through this pointer: a kernel that must be inlined would lose its instrumentation here.
    auto* volatile const kernel = &histogram_kernel<Binning>;
    kernel(data, length, histo);
  }

  template <class Binning>
  static void launch(const LaunchShape& shape, const unsigned char* data, std::size_t length, Counter* histo,
                     runner::LaunchOutcome& outcome) {
    static_assert(takes_every_length(histogram_kernel<Binning>),
                  "histogram_kernel takes a length of fewer bits than a std::size_t has");
    const Arguments arguments{data, length, histo};
    runner::simulate(shape, {&run_thread<Binning>, &arguments}, outcome);
  }

#endif
};

}  // namespace histogram

const runner::Exercise runner::exercise_under_test = histogram::exercise<histogram::KernelEntry>(
    WORKBOOK_LAB, WORKBOOK_EXERCISE, WORKBOOK_OUTPUT, histogram::KernelEntry::shape_function);
