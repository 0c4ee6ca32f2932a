// SPDX-License-Identifier: MIT
// The launches of a run. Mostly there is one; where each block leaves a value (Outputs::until_one), the
// kernel is launched again over these values, with the exercise's shape for their number, until one is left.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "runner/exercise.hpp"

namespace runner {

struct Pass {
  LaunchShape shape;
  std::size_t length;  // of what it reads, in elements
};

struct Passes {
  std::vector<Pass> all;  // at least one
  std::string fault;      // why they would not come to an end; empty: they do
};

// The run's launches; the first one has this length and shape. `shape_for` gives the shape for a length.
Passes passes_of(const Exercise& exercise, std::size_t length, const LaunchShape& first,
                 const std::function<LaunchShape(std::size_t)>& shape_for);

// How many values a launch leaves.
inline std::size_t values_left_by(const LaunchShape& shape) { return shape.grid; }

}  // namespace runner
