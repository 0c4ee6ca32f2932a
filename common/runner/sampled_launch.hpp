// SPDX-License-Identifier: MIT
// A launch over billions of elements, of which a few blocks are run: where do they read? The input takes
// address space and no memory: all of it is 0. Nothing is compared or counted.
#pragma once

#include <functional>

#include "runner/exercise.hpp"
#include "runner/protocol.hpp"

namespace runner {

// The exercise's shape for as many elements; nothing where its function failed.
using ShapeFor = std::function<std::optional<LaunchShape>(std::size_t length)>;

// Runs the blocks that the request's sample names. Faults are among the answer's observations, a refused
// launch is its failure, and `sample` holds the rest.
void run_sample(const Exercise& exercise, const Variant& variant, const RunRequest& request,
                const ShapeFor& shape_for, RunAnswer& answer);

}  // namespace runner
