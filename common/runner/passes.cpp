// SPDX-License-Identifier: MIT
#include "runner/passes.hpp"

#include <fmt/core.h>
namespace runner {

namespace {

// A launch that leaves half of what it reads needs no more for any length.
constexpr std::size_t most_passes = 64;

}  // namespace

Passes passes_of(const Exercise& exercise, std::size_t length, const LaunchShape& first,
                 const std::function<LaunchShape(std::size_t)>& shape_for) {
  Passes passes{{{first, length}}, {}};
  if (exercise.outputs != Outputs::until_one) return passes;
  // A launch of no blocks is refused by the device, in its own words.
  for (std::size_t left = first.grid; left > 1; left = passes.all.back().shape.grid) {
    if (passes.all.size() == most_passes) {
      passes.fault = fmt::format(
          "after {} launches there are still {} partial results; each launch has to leave far fewer than it "
          "reads",
          most_passes, left);
      break;
    }
    const LaunchShape shape = shape_for(left);
    if (shape.grid >= left) {
      passes.fault = fmt::format(
          "launch_shape({}) asks for {} blocks, which leaves {} partial results, {}; the launches would "
          "never come to an end",
          left, shape.grid, shape.grid, shape.grid == left ? "as many as before" : "more than before");
      break;
    }
    passes.all.push_back({shape, left});
  }
  return passes;
}

}  // namespace runner
