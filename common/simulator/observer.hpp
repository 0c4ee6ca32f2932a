// SPDX-License-Identifier: MIT
// Checkers and counters are observers of one stream of events, in the order in which a warp would issue them.
#pragma once

#include "simulator/access.hpp"
#include "simulator/launch.hpp"

namespace simulator {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void block_begins(const BlockContext&) {}
  virtual void access(const WarpAccess&) {}
  // A basic block of the program, entered by these lanes of a warp together. There are more of them than
  // accesses, so only those observers are told that follow them.
  virtual void basic_block(unsigned /*warp*/, unsigned /*lanes*/) {}
  virtual bool follows_basic_blocks() const { return false; }
  virtual void block_barrier(std::uint32_t /*place*/) {}
  virtual void warp_barrier(unsigned /*warp*/, unsigned /*lanes*/, std::uint32_t /*place*/) {}
  virtual void fence(unsigned /*thread*/) {}
  virtual void block_ends() {}
};

}  // namespace simulator
