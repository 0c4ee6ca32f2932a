// SPDX-License-Identifier: MIT
// Counts what a GPU's profiler would count: of the whole launch, and, where that is asked for, of each place
// in the program.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "simulator/observer.hpp"

namespace simulator {

// Adds an access to what has been counted.
void count(const WarpAccess& access, facts::Counters& counters);

// Loads, or stores, of shared memory that lie side by side are one on a GPU: words[2 * i] and words[2 * i +
// 1] of a basic block are loaded as a pair where that is aligned, in whichever order they stand, also with
// accesses to global memory and exchanges between lanes in between. A write to shared memory ends that, and
// for stores a load does. (Of global memory the compiler does not know how it is aligned, but by the type.)
// Tells what a GPU would issue: what is joined in place of the first of it, and all else in its order.
//
// Whether two places of the program lie side by side by their code is not known: they count as joined as long
// as they do each time that they are made.
class Joined : public Observer {
 public:
  void access(const WarpAccess& access) final;
  void basic_block(unsigned warp, unsigned lanes, std::uint32_t place) final;
  bool follows_basic_blocks() const final { return true; }
  void block_barrier(std::uint32_t) override { changes(); }  // to be called by what overrides it
  void warp_barrier(unsigned, unsigned, std::uint32_t) final { changes(); }
  void warp_exchange(const WarpExchange& exchange) final;
  void fence(unsigned) final { changes(); }
  void block_ends() override { changes(); }  // the same

 private:
  virtual void issued(const WarpAccess& access) = 0;
  virtual void block_entered(unsigned /*warp*/, unsigned /*lanes*/, std::uint32_t /*place*/) {}
  virtual void exchanged(const WarpExchange&) {}
  // Whether it is a load of what the lanes have in registers already.
  virtual bool is_kept(const WarpAccess&) { return false; }
  virtual void shared_memory_changes() {}
  // The same by an atomic, which changes the array that it names and no other one.
  virtual void shared_array_changes(const WarpAccess& /*atomic*/) { shared_memory_changes(); }
  // An exchange between lanes or an atomic on global memory, told at once.
  virtual void passes_by(unsigned /*warp*/, unsigned /*lanes*/) {}
  // What was joined at this place by chance has to be counted on top.
  virtual void apart(std::uint32_t /*place*/, const facts::Counters& /*missing*/) {}

  struct Held {
    std::optional<WarpExchange> exchange;  // else an access
    WarpAccess access;
    Operands operands;
    // Of a shared access: the first one that lies at the same distance for all lanes, and this distance.
    std::size_t group;
    std::intptr_t distance;
  };

  void changes() {
    flush();
    shared_memory_changes();
  }
  void flush();
  Held& hold();
  void hold_shared(const WarpAccess& access);
  void issue_group(std::size_t group);
  // Of accesses with a common first one, by how far they lie behind it.
  struct Member {
    std::intptr_t distance;
    std::uint32_t place;
  };
  void issue_piece(const WarpAccess& access, std::intptr_t begin, unsigned bytes,
                   std::span<const Member> members);
  WarpAccess moved(const WarpAccess& access, std::intptr_t by, unsigned bytes, Operands& operands) const;
  bool stays_apart(std::uint32_t place, std::uint32_t other, std::intptr_t distance, bool in_order);
  void take_apart(std::uint32_t place, std::uint32_t other);

  std::vector<Held> held_;  // what is kept back; only the first held_count_ are there
  std::size_t held_count_ = 0;
  // How far one place lies behind another, and whether they have been right after and next to each other.
  struct Distance {
    std::intptr_t bytes;
    bool differs, in_order;
  };
  std::unordered_map<std::uint64_t, Distance> distances_;
  std::map<std::vector<std::uint32_t>, facts::Counters> joined_;  // by places: what they have saved
};

// What a thread has loaded from shared memory a GPU keeps in a register as long as nothing may have changed
// it: across votes, shuffles and atomics on other arrays, and into the branches of a condition. The compiler
// of the simulator does not see that far. Which of two loads read the same place by their code is not known:
// they count as one as long as they do each time that they are made.
class KeptLoads {
 public:
  // Whether this load of shared memory does not count. If it turns out that another one, which did not count,
  // does: that is put back into the counters that `counters(place)` returns.
  template <class CountersOf>
  bool keeps(const WarpAccess& access, CountersOf counters_of);
  void basic_block(std::uint32_t place);
  // What the simulator's compiler does not see through.
  void passes_by(unsigned warp, unsigned lanes);
  void shared_memory_changes() { count_ = 0; }
  void shared_array_changes(const WarpAccess& atomic);

 private:
  struct Load {
    std::uint32_t place, block;  // a basic block
    unsigned warp, lanes, size;
    unsigned passed_by;  // lanes that have passed by something since
    bool of_earlier_round;
    std::array<std::uintptr_t, ModelDevice::lanes> addresses;
  };
  struct Pair {
    bool is_refuted = false;
    facts::Counters left_out{};
  };

  void remember(const WarpAccess& access);

  std::array<Load, 8> loads_;  // since shared memory was changed
  // By when they were made or kept last, the latest first; only the first count_ are there.
  std::array<std::uint8_t, 8> order_{0, 1, 2, 3, 4, 5, 6, 7};
  unsigned count_ = 0;
  std::uint32_t block_ = 0;
  std::unordered_map<std::uint64_t, Pair> pairs_;  // of places
};

class LaunchCounter final : public Joined {
 public:
  explicit LaunchCounter(facts::Counters& counters) : counters_(counters) {}

 private:
  void issued(const WarpAccess& access) override { count(access, counters_); }
  void block_entered(unsigned warp, unsigned lanes, std::uint32_t place) override;
  void passes_by(unsigned warp, unsigned lanes) override { kept_.passes_by(warp, lanes); }
  bool is_kept(const WarpAccess& access) override;
  void shared_memory_changes() override { kept_.shared_memory_changes(); }
  void shared_array_changes(const WarpAccess& atomic) override { kept_.shared_array_changes(atomic); }
  void apart(std::uint32_t, const facts::Counters& missing) override { counters_ += missing; }

  facts::Counters& counters_;
  KeptLoads kept_;
};

class PlaceCounter final : public Joined {
 public:
  explicit PlaceCounter(std::map<std::uint32_t, facts::Counters>& places) : places_(places) {}

 private:
  void issued(const WarpAccess& access) override { count(access, places_[access.place]); }
  void block_entered(unsigned, unsigned, std::uint32_t place) override { kept_.basic_block(place); }
  void passes_by(unsigned warp, unsigned lanes) override { kept_.passes_by(warp, lanes); }
  bool is_kept(const WarpAccess& access) override;
  void shared_memory_changes() override { kept_.shared_memory_changes(); }
  void shared_array_changes(const WarpAccess& atomic) override { kept_.shared_array_changes(atomic); }
  void apart(std::uint32_t place, const facts::Counters& missing) override { places_[place] += missing; }

  std::map<std::uint32_t, facts::Counters>& places_;
  KeptLoads kept_;
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
