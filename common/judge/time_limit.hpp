// SPDX-License-Identifier: MIT
// The time for a whole check, from the compiler to the last case.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "os/limited_command.hpp"

namespace judge {

class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;

  explicit TimeLimit(std::chrono::milliseconds whole) : whole_(whole) {}

  // From now on time passes; later calls change nothing.
  void begin() {
    if (!end_) end_ = Clock::now() + whole_;
  }
  // What is left, at least 0; all of it before the beginning.
  std::chrono::milliseconds left() const {
    if (!end_) return whole_;
    return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(*end_ - Clock::now()),
                    std::chrono::milliseconds(0));
  }
  bool is_over() const { return left().count() == 0; }
  std::string text() const { return "the check took more than " + os::in_seconds(whole_); }

 private:
  std::chrono::milliseconds whole_;
  std::optional<Clock::time_point> end_;
};

}  // namespace judge
