// SPDX-License-Identifier: MIT
// An exercise that a test of the runner makes up.
#pragma once

#include "runner/exercise.hpp"

inline constexpr runner::Variant letters4{"letters4", 1, 28, nullptr};

// An exercise over bytes with nothing but this variant, whose results are counters of 4 bytes. It refers to
// the variant.
inline runner::Exercise exercise_of(const runner::Variant& variant,
                                    runner::Outputs outputs = runner::Outputs::one,
                                    LaunchShape (*launch_shape)(std::size_t) = nullptr) {
  return {.problem = "histogram",
          .lab = "04_shared_memory",
          .name = "histogram",
          .outputs = outputs,
          .launch_shape = launch_shape,
          .variants = &variant,
          .variant_count = 1,
          .input = {"data", "bytes", 1},
          .output = {"histo", "counters", 4},
          .input_guard = 'm',
          .observe = nullptr};
}
