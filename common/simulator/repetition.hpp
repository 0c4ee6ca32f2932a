// SPDX-License-Identifier: MIT
// Tells whether a thread repeats itself: it makes the same accesses at the same addresses again and again.
#pragma once

#include <cstdint>
#include <span>

#include "simulator/recorder.hpp"

namespace simulator {

// A thread's log, each time that it is handed over, is one element of a sequence, of which only a hash is
// kept. A loop without end makes that sequence periodic. Found by Brent's algorithm: an element is compared
// with a reference, which is replaced after 1, 2, 4, 8, ... elements without a match. A thread that works
// its way through an array reads other addresses each time, and is never taken for one that repeats itself.
// (Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980)
class Repetition {
 public:
  void note(std::span<const LaneEvent> log) {
    const std::uint64_t next = hash(log);
    if (next == reference_) {
      found_ = true;
      since_ = 0;
    } else if (++since_ >= period_) {
      reference_ = next;
      period_ *= 2;
      since_ = 0;
      found_ = false;
    }
  }
  bool found() const { return found_; }

 private:
  static std::uint64_t hash(std::span<const LaneEvent> log) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t sum = 1;
    for (const LaneEvent& event : log) {
      sum = (sum ^ event.key) * odd;
      sum = (sum ^ sum >> 32 ^ event.address) * odd;
    }
    return sum;
  }

  std::uint64_t reference_ = 0, period_ = 1, since_ = 0;
  bool found_ = false;
};

}  // namespace simulator
