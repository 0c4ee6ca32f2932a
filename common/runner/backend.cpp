// SPDX-License-Identifier: MIT
#include "runner/backend.hpp"

#include <algorithm>
#include <limits>

namespace runner {

namespace {

// Several different results are evidence enough of one that is not deterministic.
constexpr std::size_t most_results = 4;

}  // namespace

LaunchShape requested_shape(const Exercise& exercise, const RunRequest& request) {
  if (!exercise.launch_shape) return {1, 1};
  LaunchShape shape = exercise.launch_shape(request.length);
  if (request.block) {
    const std::uint64_t threads = std::uint64_t{shape.grid} * shape.block;
    if (*request.block > 0) {
      const std::uint64_t blocks = (threads + *request.block - 1) / *request.block;
      shape.grid =
          static_cast<unsigned>(std::min<std::uint64_t>(blocks, std::numeric_limits<unsigned>::max()));
    }
    shape.block = *request.block;
  }
  if (request.grid) shape.grid = *request.grid;
  return shape;
}

std::size_t histogram_bytes(const Exercise& exercise, const Kernel& kernel, const LaunchShape& shape) {
  const std::size_t copies = exercise.copies == HistogramCopies::one_per_block ? std::max(shape.grid, 1u) : 1;
  return copies * static_cast<std::size_t>(kernel.bins) * sizeof(std::uint32_t);
}

void add_bins(RunAnswer& answer, std::vector<std::uint32_t> bins) {
  const bool known = std::find(answer.bins.begin(), answer.bins.end(), bins) != answer.bins.end();
  if (!known && answer.bins.size() < most_results) answer.bins.push_back(std::move(bins));
}

}  // namespace runner
