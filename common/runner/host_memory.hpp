// SPDX-License-Identifier: MIT
// Memory for exercises that run on the CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/input.hpp"
#include "runner/guard.hpp"

namespace runner {

// A run's two buffers in the host's memory: the input between its guard zones, and the output.
class HostMemory {
 public:
  explicit HostMemory(const Exercise& exercise) : exercise_(exercise) {}

  // Makes room for a run and reads the input, unless it is there already. The output is not cleared yet.
  void prepare(const RunLayouts& layouts, const problems::Input& input, bool same_input);

  // Sets the output to zero and the guard zones around it to their pattern.
  void clear_output();

  // Adds to the answer what the run left behind: its output, and what was written outside.
  void collect(const Variant& variant, RunAnswer& answer) const;

  unsigned char* input() { return input_.data() + layouts_.input.begin(); }
  unsigned char* output() { return output_.data() + layouts_.output.begin(); }

 private:
  const Exercise& exercise_;
  RunLayouts layouts_{};
  std::vector<unsigned char> input_, output_;
};

}  // namespace runner
