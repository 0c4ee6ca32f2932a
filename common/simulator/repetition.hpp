// SPDX-License-Identifier: MIT
// Tells whether a thread repeats itself: it makes the same accesses at the same addresses again and again.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "simulator/recorder.hpp"

namespace simulator {

// A thread's log, each time that it is handed over, and the one before it are one element of a sequence, of
// which only a hash is kept. A loop without end makes that sequence periodic. Found by Brent's algorithm: an
// element is compared with a reference, which is replaced after 1, 2, 4, 8, ... elements. What lies between
// one match and the next has to be the same twice: a thread that works its way through an array reads other
// addresses each time, and is not taken for one that repeats itself, even if it looks at the same counter in
// between. (Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980)
class Repetition {
 public:
  void note(std::span<const LaneEvent> log) {
    const std::uint64_t hash_of_log = hash(log), next = joined(before_, hash_of_log);
    before_ = hash_of_log;
    between_ = joined(between_, next);
    ++since_;
    if (next == reference_) {
      found_ = between_ == between_before_;
      if (found_) since_ = 0;
      between_before_ = std::exchange(between_, 0);
    } else if (since_ >= period_) {
      reference_ = next;
      period_ *= 2;
      since_ = between_ = between_before_ = 0;
      found_ = false;
    }
  }
  bool found() const { return found_; }

 private:
  static std::uint64_t joined(std::uint64_t sum, std::uint64_t next) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    return (sum ^ next ^ sum >> 32) * odd;
  }

  static std::uint64_t hash(std::span<const LaneEvent> log) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    std::uint64_t sum = 1;
    for (const LaneEvent& event : log) {
      sum = (sum ^ event.key) * odd;
      sum = (sum ^ sum >> 32 ^ event.address) * odd;
    }
    return sum;
  }

  std::uint64_t before_ = 0, reference_ = 0, period_ = 1, since_ = 0;
  std::uint64_t between_ = 0, between_before_ = 0;  // of what lies between two matches
  bool found_ = false;
};

}  // namespace simulator
