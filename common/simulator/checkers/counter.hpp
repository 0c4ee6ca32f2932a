// SPDX-License-Identifier: MIT
// Counts what a GPU's profiler would count: of the whole launch, and, where that is asked for, of each place
// in the program.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simulator/observer.hpp"

namespace simulator {

// Adds an access to what has been counted.
void count(const WarpAccess& access, facts::Counters& counters);

// Loads, or stores, of shared memory that lie side by side are one on a GPU: words[2 * i] and words[2 * i +
// 1], one right after the other in a basic block, are loaded as a pair where that is aligned. (Of global
// memory the compiler does not know how it is aligned, but by the type.) Tells what a GPU would issue.
class Joined : public Observer {
 public:
  void access(const WarpAccess& access) final;
  void basic_block(unsigned warp, unsigned lanes, std::uint32_t place) final {
    flush();
    block_entered(warp, lanes, place);
  }
  bool follows_basic_blocks() const final { return true; }
  void block_barrier(std::uint32_t) override { flush(); }  // to be called by what overrides it
  void warp_barrier(unsigned, unsigned, std::uint32_t) final { flush(); }
  void fence(unsigned) final { flush(); }
  void block_ends() override { flush(); }  // the same

 protected:
  // Tells what has been held back. To be called where something else is told in between.
  void flush();

 private:
  virtual void issued(const WarpAccess& access) = 0;
  virtual void block_entered(unsigned /*warp*/, unsigned /*lanes*/, std::uint32_t /*place*/) {}

  bool goes_on(const WarpAccess& access) const;

  WarpAccess first_{};  // of those that have not been told
  Operands operands_;   // its own
  unsigned count_ = 0;
};

class LaunchCounter final : public Joined {
 public:
  explicit LaunchCounter(facts::Counters& counters) : counters_(counters) {}

 private:
  void issued(const WarpAccess& access) override { count(access, counters_); }
  void block_entered(unsigned warp, unsigned lanes, std::uint32_t place) override;

  facts::Counters& counters_;
};

class PlaceCounter final : public Joined {
 public:
  explicit PlaceCounter(std::map<std::uint32_t, facts::Counters>& places) : places_(places) {}

 private:
  void issued(const WarpAccess& access) override { count(access, places_[access.place]); }

  std::map<std::uint32_t, facts::Counters>& places_;
};

// How many 32-byte sectors the lanes of a global access touch.
unsigned sectors(const WarpAccess& access);

// How many times shared memory has to be gone to for a shared access: 32 banks of 4-byte words answer at a
// time, each with one word.
//   loads, stores       the most different words that the lanes want of one bank; accesses of 8 bytes are
//                       served for half a warp at a time, those of 16 for a quarter, unless neighbours want
//                       the same
//   atomic increments   the same: lanes on one word are added up on the way; so are operands at a place that
//                       is the same for all
//   other atomics       the most lanes that want anything of one bank: each waits for the one before; for a
//                       compare-and-swap twice
unsigned wavefronts(const WarpAccess& access);

// What a warp does for an atomic of kind cas_loop if no other warp comes in between: in each round those
// lanes whose word is not changed yet load it and try a compare-and-swap, of which one changes the word.
struct CasLoop {
  unsigned loads = 0, load_wavefronts = 0;  // of the warp
  unsigned swaps = 0, swap_wavefronts = 0;
  struct Word {
    std::uintptr_t address;
    unsigned changes;  // lanes that have changed it, one after another
  };
  std::vector<Word> words = {};
};
CasLoop cas_loop_of(const WarpAccess& access);

}  // namespace simulator
