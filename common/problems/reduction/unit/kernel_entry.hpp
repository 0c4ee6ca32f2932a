// SPDX-License-Identifier: MIT
// Ends the unit of an exercise whose file defines `reduction_kernel` and `launch_shape`: describes them to
// the runner. This is the one place where a student's kernel is launched. The runner launches it again over
// the blocks' results until one is left (runner/passes.hpp).
#pragma once

#include "problems/reduction/unit/exercise.hpp"
#if defined(__CUDACC__)
#include "runner/launch_outcome.hpp"
#endif

#undef no_sanitize  // refused in the file before (simulator/cuda/unsupported.hpp)

namespace reduction {

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

  template <class Operator>
  static void launch(const LaunchShape& shape, const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials, runner::LaunchOutcome& outcome) {
    static_assert(takes_every_length(reduction_kernel<Operator>),
                  "reduction_kernel takes a length of fewer bits than a std::size_t has");
    // More than 48 KiB of dynamic shared memory has to be asked for.
    constexpr std::size_t granted_without_asking = 48 * 1024;
    if (shape.shared_bytes > granted_without_asking) {
      outcome.error =
          cudaFuncSetAttribute(reduction_kernel<Operator>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(shape.shared_bytes));
      if (outcome.error != cudaSuccess) return;
    }
    outcome.kernel = reinterpret_cast<const void*>(&reduction_kernel<Operator>);
    reduction_kernel<Operator><<<shape.grid, shape.block, shape.shared_bytes>>>(data, length, partials);
    outcome.error = cudaGetLastError();
  }

#else

  template <class Operator>
  struct Arguments {
    const typename Operator::value* data;
    std::size_t length;
    typename Operator::value* partials;
  };

  // Not instrumented: the arguments come from the host's memory here, on a GPU they are in constant memory.
  // Where g++ is told so, the kernel is jumped to, and returns to where the simulator has called from
  // (simulator/fiber.hpp).
  template <class Operator>
#if !defined(__clang__)
  __attribute__((__optimize__("optimize-sibling-calls")))
#endif
  __attribute__((no_sanitize("thread"), noinline)) static void
  run_thread(const void* arguments) {
    const auto& [data, length, partials] = *static_cast<const Arguments<Operator>*>(arguments);
    // Never evaluated: compilers tell best of parameters that do not fit where the function is called by
    // name.
    static_cast<void>(sizeof((reduction_kernel<Operator>(data, length, partials), 0)));
    // Nobody sees through this pointer: a kernel that must be inlined would lose its instrumentation here.
    auto* volatile const kernel = &reduction_kernel<Operator>;
    kernel(data, length, partials);
  }

  template <class Operator>
  static void launch(const LaunchShape& shape, const typename Operator::value* data, std::size_t length,
                     typename Operator::value* partials, runner::LaunchOutcome& outcome) {
    static_assert(takes_every_length(reduction_kernel<Operator>),
                  "reduction_kernel takes a length of fewer bits than a std::size_t has");
    const Arguments<Operator> arguments{data, length, partials};
    runner::simulate(shape, {&run_thread<Operator>, &arguments}, outcome);
  }

#endif
};

}  // namespace reduction

// The kernel leaves a result for each block, whatever the manifest says.
const runner::Exercise runner::exercise_under_test = reduction::exercise<reduction::KernelEntry>(
    WORKBOOK_LAB, WORKBOOK_EXERCISE, runner::Outputs::until_one, reduction::KernelEntry::shape_function);
