// SPDX-License-Identifier: MIT
// Ends the unit of an exercise whose file defines `histogram_sequential`: describes it to the runner.
// Compiled for the simulator, the function runs as a kernel's only thread does, under the memory checker.
#pragma once

#include "problems/histogram/binning.hpp"
#include "runner/exercise.hpp"

#if defined(WORKBOOK_SIMULATOR)
#include "runner/simulated_launch.hpp"
#include "simulator/cuda/library.hpp"
#endif

namespace runner {

#if defined(WORKBOOK_SIMULATOR)

struct Arguments {
  const unsigned char* data;
  std::size_t length;
  unsigned int* histo;
};

template <class Binning>
__attribute__((no_sanitize("thread"), noinline)) void run_thread(const void* arguments) {
  const auto& [data, length, histo] = *static_cast<const Arguments*>(arguments);
  histogram_sequential<Binning>(data, length, histo);
}

template <class Binning>
void call(const LaunchShape&, const unsigned char* data, std::size_t length, unsigned int* histo,
          LaunchOutcome& outcome) {
  const Arguments arguments{data, length, histo};
  simulate_host_code({&run_thread<Binning>, &arguments}, outcome);
}

#else

template <class Binning>
void call(const LaunchShape&, const unsigned char* data, std::size_t length, unsigned int* histo,
          LaunchOutcome&) {
  histogram_sequential<Binning>(data, length, histo);
}

#endif

extern const Exercise exercise_under_test;
const Exercise exercise_under_test{WORKBOOK_LAB,
                                   WORKBOOK_EXERCISE,
                                   WORKBOOK_COPIES,
                                   nullptr,
                                   {{{Letters4::name, Letters4::bins, &call<Letters4>},
                                     {Letters::name, Letters::bins, &call<Letters>},
                                     {Bytes::name, Bytes::bins, &call<Bytes>}}}};

}  // namespace runner
