// SPDX-License-Identifier: MIT
// What a GPU issues of the accesses that the program makes: some of shared memory it makes one of, and some
// it does not make at all.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "simulator/basic_blocks.hpp"
#include "simulator/checkers/kept_loads.hpp"
#include "simulator/checkers/unrolled_turns.hpp"
#include "simulator/observer.hpp"

namespace simulator {

// Loads, or stores, of shared memory that lie side by side are one on a GPU: words[2 * i] and words[2 * i +
// 1] of a basic block are loaded as a pair where that is aligned, in whichever order they stand, also with
// accesses to global memory and exchanges between lanes in between. A write to shared memory ends that, and
// for stores a load does. Of global memory the compiler does not know how it is aligned, but by the type: so
// p[i].x and p[i].y of a vector are a pair, and words[i] and words[i + 1] are none. Writes to global memory
// end that, unless they are to members of such types themselves, and so do exchanges and atomics.
// Tells what a GPU would issue: what is joined in place of the first of it, stores in place of the last, and
// all else in its order, without the loads of what is in registers (kept_loads.hpp).
//
// A loop that goes from a constant to a constant is unrolled: all of its turns are one basic block. Of others
// several are (unrolled_turns.hpp).
//
// Whether two places of the program lie side by side by their code is not known: they count as joined as long
// as they do each time that they are made.
class IssuedAccesses : public Observer, private TurnListener {
 public:
  void access(const WarpAccess& access) final;
  void basic_block(unsigned warp, unsigned lanes, std::uint32_t place, unsigned depth) final;
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
  // What was joined or left out at this place by chance has to be counted on top.
  virtual void apart(std::uint32_t /*place*/, const facts::Counters& /*missing*/) {}

  // What may be joined with each other.
  enum Chain { of_shared_memory, of_global_loads, of_global_stores, chains };

  // Each turn of a loop whose turns are known is code of its own.
  struct Code {
    std::uint32_t place, turn;
    auto operator<=>(const Code&) const = default;
  };
  struct Pair {
    Code first, second;
    bool operator==(const Pair&) const = default;
  };
  struct HashOfPair {
    std::size_t operator()(const Pair& pair) const {
      const auto mixed = [](const Code& code) {
        return (std::uint64_t{code.turn} << 32 | code.place) * 0x9e3779b97f4a7c15;
      };
      return mixed(pair.first) * 3 + mixed(pair.second);
    }
  };
  // Where a warp is in such loops: the block that it entered last, and how often it went back since it came
  // in. No compiler unrolls more than so many turns, and the memory for them has an end.
  static constexpr std::uint32_t most_turns = 64;
  struct Turns {
    std::uint32_t block = 0, turn = 0;
  };

  struct Entered {
    unsigned warp, lanes;
    std::uint32_t place;
  };
  struct Held {
    std::optional<WarpExchange> exchange;
    std::optional<Entered> block;  // else an access
    WarpAccess access;
    Operands operands;
    Chain chain;
    // Of an access that may be joined: the first one that lies at the same distance for all lanes, and this
    // distance. SIZE_MAX of others.
    std::size_t group;
    std::intptr_t distance;
    std::uintptr_t shift;  // from the address here to the one on a GPU
    std::uint32_t turn;    // the basic block of an unrolled loop in which it was made, counted
    Code code;
  };

  void leave_loop() {
    if (turns_.in_loop()) turns_.leave(*this);
  }
  void changes() {
    leave_loop();
    flush();
    kept_.shared_memory_changes();
  }
  const BlockContents& contents_of(std::uint32_t place);
  void enter_block(unsigned warp, unsigned lanes, std::uint32_t place, const BlockContents& block);
  void enter_turn(unsigned warp, unsigned lanes, std::uint32_t place);
  void pass_on(const WarpAccess& access);
  // Of a loop that is unrolled in part.
  void part_begins() final;
  void turn_begins(unsigned warp, unsigned lanes, std::uint32_t place) final {
    enter_turn(warp, lanes, place);
  }
  void turn_accesses(const WarpAccess& access) final { pass_on(access); }

  void flush();
  void issue(std::size_t begin, std::size_t end);  // of what is held: one basic block
  Held& hold();
  void hold_alone(const WarpAccess& access);
  void hold_to_join(const WarpAccess& access, Chain chain);
  bool is_member_of_aligned_type(const WarpAccess& access) const;
  // Nothing more is joined with what is held of it.
  void end(Chain chain);
  void end_global_chains() { end(of_global_loads), end(of_global_stores); }
  bool goes_on_in(unsigned warp, const BlockContents& block) const;
  bool is_kept(const WarpAccess& load);
  std::size_t first_of_group_issued_at(std::size_t here, std::size_t begin, std::size_t end) const;
  void issue_group(std::size_t first_held, std::size_t end);
  // Of accesses with a common first one, by how far they lie behind it.
  struct Member {
    std::intptr_t distance;
    Code code;
  };
  void issue_piece(const WarpAccess& access, std::intptr_t begin, unsigned bytes,
                   std::span<const Member> members);
  static bool is_one(const WarpAccess& access, std::intptr_t begin, unsigned bytes,
                     std::span<const Member> members);
  WarpAccess moved(const WarpAccess& access, std::intptr_t by, unsigned bytes, Operands& operands) const;
  bool stays_apart(const Pair& pair, std::intptr_t distance);
  void take_apart(const Pair& pair);

  KeptLoads kept_;
  std::vector<Held> held_;  // what is kept back; only the first held_count_ are there
  std::size_t held_count_ = 0, held_blocks_ = 0;
  std::array<std::optional<std::size_t>, chains> first_{};  // of each chain, in held_
  std::uint32_t turn_ = 0;
  UnrolledTurns turns_;
  std::array<Turns, ModelDevice::threads_of_block / ModelDevice::lanes> known_turns_{};  // by warp
  bool in_counted_loop_ = false;  // the basic block that was entered last is part of one
  std::unordered_map<std::uint32_t, BlockContents> blocks_;  // by their places
  // Those that were entered lately, of each few places the last.
  struct KnownBlock {
    std::uint32_t place = 0;
    const BlockContents* contents = nullptr;
  };
  std::array<KnownBlock, 64> latest_blocks_{};
  // How far one place lies behind another.
  struct Distance {
    std::intptr_t bytes;
    bool differs;
  };
  std::unordered_map<Pair, Distance, HashOfPair> distances_;
  std::map<std::vector<Code>, facts::Counters> joined_;  // what they have saved
};

}  // namespace simulator
