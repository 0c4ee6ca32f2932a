// SPDX-License-Identifier: MIT
#include "runner/executor.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace runner {

namespace {

// Several different results are evidence enough of one that is not deterministic.
constexpr std::size_t most_results = 4;

}  // namespace

LaunchShape requested_shape(const Exercise& exercise, const RunRequest& request) {
  if (!exercise.launch_shape) return {1, 1};
  return with_options(exercise.launch_shape(request.length), request.options);
}

LaunchShape with_options(LaunchShape shape, const RunOptions& options) {
  const std::optional<unsigned>& block = options.block;
  if (block) {
    const std::uint64_t threads = std::uint64_t{shape.grid} * shape.block;
    if (*block > 0) {
      const std::uint64_t blocks = (threads + *block - 1) / *block;
      shape.grid =
          static_cast<unsigned>(std::min<std::uint64_t>(blocks, std::numeric_limits<unsigned>::max()));
    }
    shape.block = *block;
  }
  if (options.grid) shape.grid = *options.grid;
  return shape;
}

std::size_t output_bytes(const Exercise& exercise, const Variant& variant, std::size_t length,
                         const LaunchShape& shape) {
  const std::size_t copies = exercise.outputs == Outputs::one_per_block ? std::max(shape.grid, 1u) : 1;
  return copies * variant.result_bytes(length);
}

RunLayouts layouts_of(const Exercise& exercise, const Variant& variant, const RunRequest& request,
                      const LaunchShape& shape) {
  return {{request.misalignment * variant.element_bytes, request.length * variant.element_bytes},
          {0, output_bytes(exercise, variant, request.length, shape)}};
}

problems::Output empty_output(const Variant& variant) {
  problems::Output output(variant.output_bytes);
  if (variant.empty_output) std::memcpy(output.data(), variant.empty_output, output.size());
  return output;
}

void add_output(RunAnswer& answer, problems::Output output) {
  const bool known = std::find(answer.outputs.begin(), answer.outputs.end(), output) != answer.outputs.end();
  if (!known && answer.outputs.size() < most_results) answer.outputs.push_back(std::move(output));
}

}  // namespace runner
