// SPDX-License-Identifier: MIT
// What a runner knows of the exercise that is compiled into it.
#pragma once

#include <array>
#include <cstddef>

#include "facts/launch_shape.hpp"

namespace runner {

// What a launch leaves behind; each backend has its own.
struct LaunchOutcome;

// The exercise's kernel for one binning.
struct Kernel {
  const char* binning;
  int bins;
  void (*launch)(const LaunchShape& shape, const unsigned char* data, std::size_t length, unsigned int* histo,
                 LaunchOutcome& outcome);
};

// How many copies of the histogram the kernel gets.
enum class HistogramCopies { one, one_per_block };

struct Exercise {
  const char* lab;   // "04_shared_memory"
  const char* name;  // "histogram"
  HistogramCopies copies;
  LaunchShape (*launch_shape)(std::size_t length);  // null: not launched, called
  std::array<Kernel, 3> kernels;                    // one for each binning
};

// Defined by the unit that includes the student's file.
extern const Exercise exercise_under_test;

}  // namespace runner
