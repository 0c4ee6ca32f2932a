// SPDX-License-Identifier: MIT
// The turns that a warp makes in a loop which a GPU's compiler unrolls by a few (unrolling.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/observer.hpp"
#include "simulator/unrolling.hpp"

namespace simulator {

// Is told what a warp does in such a loop.
class TurnListener {
 public:
  virtual void part_begins() = 0;  // of turns that are one piece of code
  virtual void turn_begins(unsigned warp, unsigned lanes, std::uint32_t place) = 0;
  virtual void turn_accesses(const WarpAccess& access) = 0;

 protected:
  ~TurnListener() = default;
};

// Keeps what a warp does in such a loop until it has left it, and tells it as a GPU does it: lanes that make
// fewer turns than others go apart from them, for what they have left over is other code.
//
// The loop is one basic block on the simulator, and does nothing but load and store.
class UnrolledTurns {
 public:
  bool in_loop() const { return unrolling_ != Unrolling::none; }
  // Whether these lanes are in the loop and begin its next turn.
  bool goes_on(unsigned warp, unsigned lanes, std::uint32_t place) const {
    return in_loop() && warp == warp_ && place == place_ && (lanes & ~lanes_) == 0;
  }
  void enter(unsigned warp, unsigned lanes, std::uint32_t place, Unrolling unrolling);
  // What is kept is told first where it does not depend on what comes, or is too much.
  void begin_turn(unsigned lanes, TurnListener& listener);
  void add(const WarpAccess& access, TurnListener& listener);
  void leave(TurnListener& listener);

 private:
  struct Turn {
    unsigned lanes;
    std::size_t begin;  // of its rows
  };
  struct Row {
    WarpAccess access;
    Operands operands;  // its own
  };
  struct Part {
    unsigned turns;
    std::vector<std::pair<unsigned, std::size_t>> lanes;  // with the turn that each begins it with
  };

  void tell(TurnListener& listener);
  std::vector<Part> parts() const;
  std::vector<Part> turn_by_turn() const;
  bool stores_where_it_loads() const;
  std::pair<std::size_t, std::size_t> rows_of(std::size_t turn) const;
  // The row of the turn with this access; null if there is none.
  const Row* row_of(std::size_t turn, std::uint32_t place, unsigned lane) const;

  Unrolling unrolling_ = Unrolling::none;
  unsigned warp_ = 0, lanes_ = 0;  // that are still in the loop
  std::uint32_t place_ = 0;
  std::vector<Turn> turns_;
  std::vector<Row> rows_;  // only the first row_count_ are there
  std::size_t row_count_ = 0;
};

}  // namespace simulator
