// SPDX-License-Identifier: MIT
// What a warp does in a loop that nvcc unrolls by a few turns, as lanes that make different numbers of turns
// do it.
#include "simulator/checkers/unrolled_turns.hpp"

#include <doctest/doctest.h>

#include <string>

namespace {

using simulator::AccessKind;
using simulator::Space;
using simulator::Unrolling;

std::string parts_of(Unrolling unrolling, unsigned turns) {
  std::string text;
  for (const simulator::UnrolledPart& part : unrolled_parts(unrolling, turns))
    text += (text.empty() ? "" : " ") + std::to_string(part.phase) + ":" + std::to_string(part.turns);
  return text;
}

// "|" for a part, then each access with the lanes that make it and the turns that it is of.
struct Told final : simulator::TurnListener {
  std::string text;
  void part_begins() override { text += "|"; }
  void turn_begins(unsigned, unsigned, std::uint32_t) override {}
  void turn_accesses(const simulator::WarpAccess& access) override {
    text += " ";
    simulator::for_each_lane(access.lanes, [&](unsigned lane) {
      text += std::to_string(lane) + "t" + std::to_string(access.address(lane));
    });
  }
};

// Lane k makes turns[k] of them, and loads in each, from the address that is the turn's number.
std::string told(Unrolling unrolling, const std::vector<unsigned>& turns, bool stores_too = false) {
  simulator::UnrolledTurns loop;
  Told told;
  for (unsigned turn = 0; turn < std::ranges::max(turns); ++turn) {
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < turns.size(); ++lane) lanes |= turn < turns[lane] ? 1u << lane : 0;
    if (turn == 0) loop.enter(0, lanes, 7, unrolling);
    if (turn > 0) {
      CHECK(loop.goes_on(0, lanes, 7));
      loop.begin_turn(lanes, told);
    }
    simulator::Operands operands{};
    for (unsigned lane = 0; lane < turns.size(); ++lane) operands.address[lane] = turn;
    simulator::WarpAccess access{.kind = AccessKind::load,
                                 .space = Space::shared,
                                 .size = 4,
                                 .place = 11,
                                 .warp = 0,
                                 .lanes = lanes,
                                 .operands = &operands};
    loop.add(access, told);
    access.kind = AccessKind::store;
    access.place = 12;
    if (stores_too) loop.add(access, told);
  }
  loop.leave(told);
  CHECK(!loop.in_loop());
  return told.text;
}

}  // namespace

TEST_CASE("the turns of a loop as one lane makes them") {
  CHECK(parts_of(Unrolling::by_rest, 1) == "2:1");
  CHECK(parts_of(Unrolling::by_rest, 3) == "1:2 2:1");
  CHECK(parts_of(Unrolling::by_rest, 10) == "0:4 0:4 1:2");
  CHECK(parts_of(Unrolling::counted, 31) == "0:16 1:8 2:4 3:1 3:1 3:1");
  CHECK(parts_of(Unrolling::counted, 12) == "1:8 2:4");
  CHECK(parts_of(Unrolling::counted, 16) == "0:16");
  CHECK(parts_of(Unrolling::counted, 45) == "0:16 0:16 1:8 2:4 3:1");
  CHECK(parts_of(Unrolling::counted_first, 14) == "0:1 0:1 2:8 3:4");
  CHECK(parts_of(Unrolling::counted_wide, 9) == "0:4 0:4 1:1");
  CHECK(parts_of(Unrolling::counted_wide_first, 6) == "0:1 0:1 1:4");
  CHECK(parts_of(Unrolling::none, 2) == "0:1 0:1");
}

TEST_CASE("lanes go apart in what is left over") {
  // the fourth turn of the one is part of what the other has no turns for
  CHECK(told(Unrolling::by_rest, {4, 3}) == "| 0t0 0t1 0t2 0t3| 1t0 1t1| 1t2");
  CHECK(told(Unrolling::by_rest, {5, 4}) == "| 0t01t0 0t11t1 0t21t2 0t31t3| 0t4");
  CHECK(told(Unrolling::counted, {5, 2}) == "| 0t0 0t1 0t2 0t3| 0t41t0| 1t1");
  CHECK(told(Unrolling::counted_first, {5, 4}) == "| 0t0| 0t11t0 0t21t1 0t31t2 0t41t3");
  CHECK(told(Unrolling::counted, {2, 0}) == "| 0t0| 0t1");
}

TEST_CASE("a loop that stores where it loads is not unrolled by what is left") {
  CHECK(told(Unrolling::by_rest, {2, 1}, true) == "| 0t01t0 0t01t0| 0t1 0t1");
  CHECK(told(Unrolling::counted_wide, {4, 1}, true) == "| 0t0 0t0 0t1 0t1 0t2 0t2 0t3 0t3| 1t0 1t0");
}

TEST_CASE("sixteen turns that all lanes make are told before the loop ends") {
  simulator::UnrolledTurns loop;
  Told told;
  loop.enter(0, 3, 7, Unrolling::by_rest);
  for (unsigned turn = 1; turn < 16; ++turn) loop.begin_turn(3, told);
  CHECK(told.text.empty());
  loop.begin_turn(3, told);
  CHECK(told.text == "||||");
  loop.begin_turn(1, told);
  CHECK(!loop.goes_on(0, 3, 7));  // a lane that has left
  CHECK(!loop.goes_on(1, 1, 7));
  CHECK(!loop.goes_on(0, 1, 8));
}
