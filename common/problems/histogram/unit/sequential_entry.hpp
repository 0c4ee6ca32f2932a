// SPDX-License-Identifier: MIT
// Ends the unit of an exercise whose file defines `histogram_sequential`: describes it to the runner.
// Compiled for the simulator, the function runs as a kernel's only thread does, under the memory checker.
#pragma once

#include "problems/histogram/unit/exercise.hpp"

#if defined(WORKBOOK_SIMULATOR)
#include "simulator/cuda/library.hpp"

#undef no_sanitize  // refused in the file before (simulator/cuda/unsupported.hpp)
#endif

namespace histogram {

struct SequentialEntry {
#if defined(WORKBOOK_SIMULATOR)

  struct Arguments {
    const unsigned char* data;
    std::size_t length;
    Counter* histo;
  };

  template <class Binning>
  __attribute__((no_sanitize("thread"), noinline)) static void run_thread(const void* arguments) {
    const auto& [data, length, histo] = *static_cast<const Arguments*>(arguments);
    // As for a kernel (kernel_entry.hpp): a function that must be inlined would lose its instrumentation.
    static_cast<void>(sizeof((histogram_sequential<Binning>(data, length, histo), 0)));
    auto* volatile const function = &histogram_sequential<Binning>;
    function(data, length, histo);
  }

  template <class Binning>
  static void launch(const LaunchShape&, const unsigned char* data, std::size_t length, Counter* histo,
                     runner::LaunchOutcome& outcome) {
    const Arguments arguments{data, length, histo};
    runner::simulate_host_code({&run_thread<Binning>, &arguments}, outcome);
  }

#else

  template <class Binning>
  static void launch(const LaunchShape&, const unsigned char* data, std::size_t length, Counter* histo,
                     runner::LaunchOutcome&) {
    histogram_sequential<Binning>(data, length, histo);
  }

#endif
};

}  // namespace histogram

const runner::Exercise runner::exercise_under_test = histogram::exercise<histogram::SequentialEntry>(
    WORKBOOK_LAB, WORKBOOK_EXERCISE, WORKBOOK_OUTPUT, nullptr);
