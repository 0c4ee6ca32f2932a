// SPDX-License-Identifier: MIT
// Checkers and counters are observers of one stream of events, in the order in which a warp would issue them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "simulator/guards.hpp"
#include "simulator/launch.hpp"
#include "simulator/model_device.hpp"

namespace simulator {

enum class Space : std::uint8_t { global, shared, constant };

enum class AccessKind : std::uint8_t {
  load,
  store,
  compare_and_swap,  // in shared memory a GPU goes twice for it
  atomic,            // another read-modify-write; this and the next are in the order of AtomicForm
  atomic_increment,  // atomicAdd of the constant 1 whose result nobody uses: hardware merges lanes of one
                     // address
  atomic_reduction,  // at a place that is the same for all lanes by its code: they are reduced to one first
  generic_atomic,    // through an address of which nobody says that it is a shared one; a compare-and-swap of
                     // that kind comes last
  // In shared memory a GPU makes a loop of a load and a compare-and-swap of it, for there is no instruction:
  // of operations on 64 bits and of additions of floating-point numbers. Where the word is to keep its value,
  // the loop for the smaller or larger of two numbers ends with the load.
  cas_loop,
  cas_loop_if_changed,
  generic_compare_and_swap,
};

constexpr bool is_atomic(AccessKind kind) { return kind >= AccessKind::compare_and_swap; }
constexpr bool is_swap(AccessKind kind) {
  return kind == AccessKind::compare_and_swap || kind == AccessKind::generic_compare_and_swap;
}
constexpr bool is_generic(AccessKind kind) {
  return kind == AccessKind::generic_atomic || kind == AccessKind::generic_compare_and_swap;
}
constexpr bool writes(AccessKind kind) { return kind != AccessKind::load; }

// Calls function(lane) for each lane of a set, from the lowest to the highest.
template <class Function>
void for_each_lane(unsigned lanes, Function function) {
  for (; lanes; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

// The bytes that a lane's store left in memory. Unknown where one instruction stored more than 16 bytes.
struct StoredValue {
  std::array<unsigned char, 16> bytes;
  bool known;
};

// Of an atomic of kind cas_loop_if_changed: the lane leaves the word alone where its value is at least what
// is wanted. Both are numbers that grow towards it.
struct Goal {
  std::uint64_t wanted, found;
};

// Of the lanes that take part, by lane. (Aligned to a line of the processor's cache.)
struct alignas(64) Operands {
  std::array<std::uintptr_t, ModelDevice::lanes> address;
  std::array<StoredValue, ModelDevice::lanes> stored;  // of a store; else it may hold a Goal
};

// What the lanes that take part have found in memory, and what they have left there, by lane: of accesses of
// up to 8 bytes.
struct Values {
  std::array<std::uint64_t, ModelDevice::lanes> read{}, written{};
};

// An operation in which the lanes of a warp exchange values. A vote tells all who said yes; a match, who
// brings the same.
enum class ExchangeKind : std::uint8_t { shuffle, vote, match, reduction };
struct WarpExchange {
  ExchangeKind kind;
  unsigned bytes;      // of a lane's value
  unsigned different;  // values that the lanes of a __match_any_sync bring; else 1
  unsigned warp, lanes;
  std::uint32_t place;
};

// One instruction of a warp: the accesses that its lanes make together.
struct WarpAccess {
  AccessKind kind;
  Space space;
  unsigned size;        // bytes a lane
  std::uint32_t place;  // of the call in the program, an offset from its load address
  unsigned warp;        // of the block
  unsigned lanes;       // who takes part, a bit each
  // Atomic or volatile: a race with another such access is none. `for_block`: for threads of the same block
  // only.
  bool strong = false, for_block = false;
  // Sets of lanes: those whose store depends on what a strong load of theirs found in the same word; those
  // whose plain load only guesses what the compare-and-swap that follows will find; those whose time goes on
  // (synchronisation.hpp); those whose store is part of an exchange of words.
  unsigned updates = 0, guesses = 0, goes_on = 0, moves = 0;
  unsigned unchanged = 0;   // of an atomic: lanes that left the word as it was
  unsigned overwrites = 0;  // of an atomic: lanes for which it does not matter what the word held
  Range array = {};         // holds what all lanes access; without bytes: it is not known whether one does
  const Operands* operands;
  const Values* values = nullptr;  // if the launch is to tell them

  std::uintptr_t address(unsigned lane) const { return operands->address[lane]; }
  const StoredValue& stored(unsigned lane) const { return operands->stored[lane]; }
  Goal goal(unsigned lane) const {
    Goal goal;
    std::memcpy(&goal, operands->stored[lane].bytes.data(), sizeof goal);
    return goal;
  }
};

// Of an access in which all lanes take part: whether each lane's address is so much above that of the lane
// before.
inline bool goes_by(const WarpAccess& access, std::uintptr_t stride) {
  std::uintptr_t different = 0, expected = access.address(0);
  for (const std::uintptr_t address : access.operands->address) {
    different |= address ^ expected;
    expected += stride;
  }
  return different == 0;
}

// Whether all lanes take part and each begins where the lane before ends.
inline bool is_in_a_row(const WarpAccess& access) {
  return access.lanes == ~0u && goes_by(access, access.size);
}

// Whether the accesses of all lanes lie within these bytes. Without a branch for each lane: its difference to
// the beginning, or that to the last place, has the highest bit where it does not.
inline bool lies_within(const WarpAccess& access, std::uintptr_t begin, std::uintptr_t bytes) {
  if (bytes < access.size) return false;
  const std::uintptr_t last = bytes - access.size;
  std::uintptr_t outside = 0;
  if (access.lanes == ~0u) {
    for (const std::uintptr_t address : access.operands->address)
      outside |= (address - begin) | (last - (address - begin));
  } else {
    for_each_lane(access.lanes, [&](unsigned lane) {
      outside |= (access.address(lane) - begin) | (last - (access.address(lane) - begin));
    });
  }
  return static_cast<std::intptr_t>(outside) >= 0;
}

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void block_begins(const BlockContext&) {}
  // In lockstep: what follows happens in this block, until another goes on.
  virtual void block_goes_on(std::uint64_t /*number*/) {}
  virtual void access(const WarpAccess&) {}
  virtual void constant_load(const WarpAccess&) {}  // of constant memory, which nobody changes
  // A basic block of the program, entered by these lanes of a warp together. There are more of them than
  // accesses, so only those observers are told that follow them.
  virtual void basic_block(unsigned /*warp*/, unsigned /*lanes*/, std::uint32_t /*place*/,
                           unsigned /*depth of calls*/) {}
  virtual bool follows_basic_blocks() const { return false; }
  virtual void block_barrier(std::uint32_t /*place*/) {}
  virtual void warp_barrier(unsigned /*warp*/, unsigned /*lanes*/, std::uint32_t /*place*/) {}
  virtual void warp_exchange(const WarpExchange&) {}
  virtual void fence(unsigned /*thread*/) {}
  virtual void block_ends() {}
};

// All observers of a launch, told one after another.
class Observers {
 public:
  void add(std::unique_ptr<Observer> observer) {
    add(*observer);
    owned_.push_back(std::move(observer));
  }
  void add(Observer& observer) {
    if (observer.follows_basic_blocks()) following_basic_blocks_.push_back(&observer);
    all_.push_back(&observer);
  }
  void clear() {
    following_basic_blocks_.clear();
    all_.clear();
    owned_.clear();
  }

  void block_begins(const BlockContext& block) {
    for (Observer* const o : all_) o->block_begins(block);
  }
  void block_goes_on(std::uint64_t number) {
    for (Observer* const o : all_) o->block_goes_on(number);
  }
  void access(const WarpAccess& access) {
    for (Observer* const o : all_) o->access(access);
  }
  void constant_load(const WarpAccess& access) {
    for (Observer* const o : all_) o->constant_load(access);
  }
  void basic_block(unsigned warp, unsigned lanes, std::uint32_t place, unsigned depth) {
    for (Observer* const o : following_basic_blocks_) o->basic_block(warp, lanes, place, depth);
  }
  void block_barrier(std::uint32_t place) {
    for (Observer* const o : all_) o->block_barrier(place);
  }
  void warp_barrier(unsigned warp, unsigned lanes, std::uint32_t place) {
    for (Observer* const o : all_) o->warp_barrier(warp, lanes, place);
  }
  void warp_exchange(const WarpExchange& exchange) {
    for (Observer* const o : all_) o->warp_exchange(exchange);
  }
  void fence(unsigned thread) {
    for (Observer* const o : all_) o->fence(thread);
  }
  void block_ends() {
    for (Observer* const o : all_) o->block_ends();
  }

 private:
  std::vector<Observer*> all_;
  std::vector<Observer*> following_basic_blocks_;
  std::vector<std::unique_ptr<Observer>> owned_;
};

}  // namespace simulator
