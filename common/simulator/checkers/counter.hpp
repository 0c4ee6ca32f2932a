// SPDX-License-Identifier: MIT
// Counts what a GPU's profiler would count: of the whole launch, and, where that is asked for, of each place
// in the program.
#pragma once

#include <cstdint>
#include <map>

#include "simulator/observer.hpp"

namespace simulator {

// Adds an access to what has been counted.
void count(const WarpAccess& access, facts::Counters& counters);

class LaunchCounter final : public Observer {
 public:
  explicit LaunchCounter(facts::Counters& counters) : counters_(counters) {}

  void access(const WarpAccess& access) override { count(access, counters_); }
  void basic_block(unsigned warp, unsigned lanes) override;
  bool follows_basic_blocks() const override { return true; }

 private:
  facts::Counters& counters_;
};

class PlaceCounter final : public Observer {
 public:
  explicit PlaceCounter(std::map<std::uint32_t, facts::Counters>& places) : places_(places) {}

  void access(const WarpAccess& access) override { count(access, places_[access.place]); }

 private:
  std::map<std::uint32_t, facts::Counters>& places_;
};

// How many 32-byte sectors the lanes of a global access touch.
unsigned sectors(const WarpAccess& access);

// How many times shared memory has to be gone to for a shared access: 32 banks of 4-byte words answer at a
// time, each with one word.
//   loads, stores       the most different words that the lanes want of one bank; accesses of 16 bytes are
//                       served for half a warp at a time
//   atomic increments   the same: lanes on one word are added up on the way
//   other atomics       the most lanes that want anything of one bank: each waits for the one before; for a
//                       compare-and-swap twice
unsigned wavefronts(const WarpAccess& access);

}  // namespace simulator
