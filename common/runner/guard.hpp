// SPDX-License-Identifier: MIT
// Guard zones: known bytes before and behind everything that a kernel gets, looked at after it ran. They find
// a write outside; a read outside shows in the result, because the bytes around the input change it. Memory
// of the host lies between them here, memory of a GPU in gpu/cuda.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "problems/input.hpp"
#include "runner/exercise.hpp"
#include "runner/protocol.hpp"

namespace runner {

constexpr std::size_t guard_bytes = 4096;
constexpr unsigned char output_guard = 0xa5;

// A buffer of a run, as it lies in memory: [guard][misalignment][input][guard] and [guard][output][guard].
struct GuardedLayout {
  std::size_t misalignment;  // bytes of the guard's kind between the guard and the payload
  std::size_t payload;       // bytes

  std::size_t begin() const { return guard_bytes + misalignment; }
  std::size_t end() const { return begin() + payload; }
  std::size_t total() const { return end() + guard_bytes; }
  bool operator==(const GuardedLayout&) const = default;
};

// The layouts of a run's two buffers.
struct RunLayouts {
  GuardedLayout input, output;
};

// Where in a guard zone something was written, as a byte distance from the payload's begin (before:
// negative). `before` and `behind`: the zones as they are after the run.
std::optional<std::int64_t> first_overwritten(const GuardedLayout& layout,
                                              std::span<const unsigned char> before,
                                              std::span<const unsigned char> behind, unsigned char guard);

// A write at such a distance from the input's, or the output's, beginning. `bytes`: its size.
facts::Observation input_overwritten(const Exercise& exercise, std::int64_t distance, std::size_t bytes);
facts::Observation output_overrun(const Exercise& exercise, std::int64_t distance, std::size_t bytes);

// An element of the input that is not as it was sent. `read_back` gives what lies there after the run. Of
// inputs of more than 16 MiB nothing is said: a kernel that writes there does so with shorter ones too.
std::optional<facts::Observation> input_changed(
    const Exercise& exercise, const problems::Input& input, std::size_t bytes,
    const std::function<void(std::span<unsigned char>)>& read_back);

// A run's two buffers in the host's memory: the input between its guard zones, and the output.
class HostMemory {
 public:
  explicit HostMemory(const Exercise& exercise) : exercise_(exercise) {}

  // Makes room for a run and reads the input, unless it is there already. The output is not cleared yet.
  void prepare(const RunLayouts& layouts, const problems::Input& input, bool same_input);

  // Sets the output to zero and the guard zones around it to their pattern.
  void clear_output();

  // Adds to the answer what the run left behind: its output, and what was written outside.
  void collect(std::size_t result_bytes, RunAnswer& answer) const;
  // Adds what was written into the input.
  void compare_input(const problems::Input& input, RunAnswer& answer) const;

  unsigned char* input() { return input_.data() + layouts_.input.begin(); }
  unsigned char* output() { return output_.data() + layouts_.output.begin(); }

 private:
  const Exercise& exercise_;
  RunLayouts layouts_{};
  std::vector<unsigned char> input_, output_;
};

}  // namespace runner
