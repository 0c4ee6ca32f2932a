// SPDX-License-Identifier: MIT
// Runs the exercise on a backend. Each runner is linked with the executor of one.
#pragma once

#include <cstdint>
#include <memory>

#include "problems/input.hpp"
#include "runner/exercise.hpp"
#include "runner/guard.hpp"
#include "runner/protocol.hpp"

namespace runner {

class Executor {
 public:
  virtual ~Executor() = default;

  virtual std::string name() const = 0;    // "gpu", "sim" or "cpu"
  virtual std::string device() const = 0;  // the device's name

  // Why nothing can run here, in words; empty if it can.
  virtual std::string unavailable() const { return {}; }

  // Runs the kernel on the input as the request says, and returns what happened. Does not throw for anything
  // that a kernel may do; std::bad_alloc if the host has too little memory.
  virtual RunAnswer run(const Variant& variant, const RunRequest& request, const problems::Input& input) = 0;
};

// The executor that this runner is linked with, for the exercise that it holds.
std::unique_ptr<Executor> make_executor(const Exercise& exercise);

// The exercise's launch shape for the request's length, with the request's block and grid instead of its
// own.
LaunchShape requested_shape(const Exercise& exercise, const RunRequest& request);

// A launch shape with the options' block and grid instead of its own.
LaunchShape with_options(LaunchShape shape, const RunOptions& options);

// Bytes that the output takes: one copy, or one for each block. Where the launches go on until one is left,
// that one.
std::size_t output_bytes(const Exercise& exercise, const Variant& variant, std::size_t length,
                         const LaunchShape& shape);

// Where a run's input and output lie in its two buffers.
RunLayouts layouts_of(const Exercise& exercise, const Variant& variant, const RunRequest& request,
                      const LaunchShape& shape);

// The output of a run over an empty input, which is not launched.
problems::Output empty_output(const Variant& variant);

// How much of what a first launch leaves is sent back, in bytes.
constexpr std::size_t most_parts_bytes = 1 << 20;

// Adds a run's output to the answer unless an earlier run had the same.
void add_output(RunAnswer& answer, problems::Output output);

}  // namespace runner
