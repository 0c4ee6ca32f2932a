// SPDX-License-Identifier: MIT
// Tells whether a thread repeats itself: it makes the same accesses at the same addresses again and again.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "simulator/recorder.hpp"

namespace simulator {

// An event of a thread, together with the ones before it, is an element of a sequence, of which only a hash
// is kept. A loop without end makes that sequence periodic. Found by Brent's algorithm: an element is
// compared with a reference, which is replaced after 1, 2, 4, 8, ... elements. What lies between one match
// and the next has to be the same each time: a thread that works its way through an array reads other
// addresses each time, and is not taken for one that repeats itself, even if it looks at the same counter in
// between. (Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980)
//
// A loop that ends looks the same as long as it turns, if what makes it end is in a register. So it counts
// how long a thread has repeated itself without a break.
class Repetition {
 public:
  // The thread's next events. `now` goes up with the work that the block has done.
  void note(std::span<const LaneEvent> log, std::int64_t now) {
    for (const LaneEvent& event : log) note(event, now);
  }
  bool found() const { return found_; }
  bool found_since(std::int64_t time) const { return found_ && began_ <= time; }

 private:
  void note(const LaneEvent& event, std::int64_t now) {
    // Each event moves what older ones have left by a bit, until it is forgotten: the rounds of a short loop
    // inside of a longer one are told from each other.
    context_ = (context_ << 1) + joined(joined(1, event.key), event.address);
    between_ = joined(between_, static_cast<std::uint64_t>(context_));
    ++since_reference_;
    ++since_match_;
    if (context_ == reference_) {
      const bool again = between_ == between_before_;
      if (!again) began_ = now;
      found_ = again;
      if (again) since_reference_ = 0;
      length_ = std::exchange(since_match_, 0);
      between_before_ = std::exchange(between_, 0);
      return;
    }
    if (since_match_ > length_) found_ = false;
    if (since_reference_ < period_) return;
    reference_ = context_;
    period_ *= 2;
    since_reference_ = since_match_ = length_ = 0;
    between_ = between_before_ = 0;
    found_ = false;
  }

  static std::uint64_t joined(std::uint64_t sum, std::uint64_t next) {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    return (sum ^ next ^ sum >> 32) * odd;
  }

  // Of the last 128 events.
  __extension__ typedef unsigned __int128 Context;
  Context context_ = 0, reference_ = 0;
  std::uint64_t between_ = 0, between_before_ = 0;  // of what lies between two matches
  std::uint64_t period_ = 1, since_reference_ = 0;  // elements, the latter without a repetition
  std::uint64_t since_match_ = 0, length_ = 0;  // the same from the last match on, and between the last two
  std::int64_t began_ = 0;                      // when the first of these repetitions began
  bool found_ = false;
};

}  // namespace simulator
