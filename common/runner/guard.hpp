// SPDX-License-Identifier: MIT
// Guard zones: known bytes before and behind everything that a kernel gets, looked at after it ran. They find
// a write outside; a read outside shows in the result, because the bytes around the input change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "runner/exercise.hpp"
#include "runner/protocol.hpp"

namespace runner {

constexpr std::size_t guard_bytes = 4096;
constexpr unsigned char output_guard = 0xa5;

// What a run's memory looks like: [guard][misalignment][input][guard] and [guard][output][guard].
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

}  // namespace runner
