// SPDX-License-Identifier: MIT
// The ways that parted lanes of a warp take.
#pragma once

#include <cstddef>
#include <vector>

namespace model {

// Follows a warp through the basic blocks that it enters, each with the lanes that enter it. Lanes that have
// parted meet in a block that all of them enter.
class PartedWays {
 public:
  // Whether these lanes take another way than some that they were together with, so that the warp goes
  // through both one after the other.
  bool enter(unsigned lanes) {
    while (!open_.empty() && (lanes & ~open_.back().lanes) != 0) open_.pop_back();
    if (open_.empty() || lanes == open_.back().lanes) {
      if (open_.empty()) open_.push_back({lanes});
      open_.back().on_a_way = open_.back().accessed = 0;
      return false;
    }
    Together& before = open_.back();
    const bool another = before.on_a_way != 0 && (before.on_a_way & lanes) == 0;
    before.on_a_way |= lanes;
    open_.push_back({lanes});
    return another;
  }

  // The lanes on the way that was entered last access memory. How often that is the first access on it, where
  // others, from which they have parted, have made some on theirs.
  unsigned access() {
    unsigned times = 0;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const unsigned way = open_[i + 1].lanes;
      unsigned& accessed = open_[i].accessed;
      times += (accessed & way) == 0 && accessed != 0;
      accessed |= way;
    }
    return times;
  }

 private:
  struct Together {
    unsigned lanes = 0;
    unsigned on_a_way = 0;  // of these, since they have parted
    unsigned accessed = 0;  // of these, those on ways with an access
  };
  std::vector<Together> open_;  // the last ones are some of those before
};

}  // namespace model
