// SPDX-License-Identifier: MIT
// In which round of which loops a thread is, by the places of the basic blocks that it enters: one that lies
// no further on than the block before it begins another round, of a loop that reaches from the one to the
// other. A block outside of these leaves the loop.
#pragma once

#include <cstdint>
#include <vector>

namespace simulator {

class LoopRounds {
 public:
  // The thread enters a basic block, so many calls deep.
  void enter(std::uint32_t place, unsigned depth);
  // Whether both are in the same rounds of the same loops.
  friend bool operator==(const LoopRounds& one, const LoopRounds& other) {
    return one.loops_ == other.loops_;
  }

 private:
  struct Loop {
    unsigned depth;
    std::uint32_t begin, end;  // places of its first block and of the last one that has led back there
    std::uint64_t rounds;      // behind the first one, in which it is not known to be a loop
    bool operator==(const Loop& other) const {
      return depth == other.depth && begin == other.begin && rounds == other.rounds;
    }
  };
  std::vector<Loop> loops_;            // from the outermost on
  std::vector<std::uint32_t> latest_;  // the block that was entered last, for each depth of calls
};

}  // namespace simulator
