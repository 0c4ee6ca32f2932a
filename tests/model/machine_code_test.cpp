// SPDX-License-Identifier: MIT
// How often the instructions of machine code are executed, by what the accesses say.
#include "model/machine_code.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>

#include "code_by_hand.hpp"

using namespace by_hand;

TEST_CASE("code without branches is executed once, up to its end") {
  CHECK(
      Text().add(other, 3).add(load).add(exit_).add(other, 5).code().executed(accesses(1, 0))->instructions ==
      doctest::Approx(5));
}

TEST_CASE("the accesses say how often a loop is gone through, and how often a branch is taken") {
  // 20 turns of 8 instructions, in 15 of which 2 more are executed
  const double expected = 3 + 20 * 8 + 15 * 2 + 1;
  CHECK(loop().code().executed(accesses(20, 15))->instructions == doctest::Approx(expected));
  CHECK(loop(true).code().executed(accesses(20, 15))->instructions == doctest::Approx(expected));
  CHECK(loop().code().executed(accesses(1, 0))->instructions == doctest::Approx(3 + 8 + 1));
}

TEST_CASE(
    "accesses to memory that the compiler does not know are of shared memory where the code has no others") {
  constexpr unsigned generic_add = 0x18a;
  Text text;
  text.add(other, 3);
  text.add(load).add(other, 4).branch(11, true);  // 3 to 8
  text.add(other).add(generic_add);               // 9, 10
  text.add(other).branch(3, true);                // 11, 12
  text.add(generic_add).add(exit_);               // 13, 14
  const double expected = 3 + 20 * 8 + 15 * 2 + 2;
  CHECK(text.code().executed(accesses(20, 15, 1))->instructions == doctest::Approx(expected));
  CHECK(text.code().executed(accesses(20, 0, 16))->instructions == doctest::Approx(expected));
}

TEST_CASE("a loop that was unrolled takes nearly all turns, and the one for the rest few") {
  // four loads in 10 instructions, then one in 6
  Text text;
  text.add(other, 2).branch(14, true);                         // 0 to 2
  text.add(load, 4).add(other, 5).branch(3, true).add(other);  // 3 to 13
  text.add(load).add(other, 4).branch(14, true).add(exit_);    // 14 to 20
  const double all = text.code().executed(accesses(400, 0))->instructions;
  CHECK(all > 400 / 4 * 10);
  // the turns with the least squares: 94.1 of the one, 23.5 of the other
  CHECK(all < 1.1 * (400 / 4 * 10));
}

TEST_CASE("loads of different widths tell a loop for vectors from one for the bytes that are left") {
  // a loop of 9 instructions with a load of 16 bytes, then one of 4 with a load of a byte
  Text text;
  text.add(other, 2).branch(12, true);                                   // 0 to 2
  text.add_of_bytes(load, 16).add(other, 7).branch(3, true);             // 3 to 11
  text.add_of_bytes(load, 1).add(other, 2).branch(12, true).add(exit_);  // 12 to 16
  model::Accesses seen{};
  seen[static_cast<std::size_t>(model::AccessKind::global_load_16)] = 100;
  seen[static_cast<std::size_t>(model::AccessKind::global_load)] = 7;
  CHECK(text.code().executed(seen)->instructions == doctest::Approx(3 + 100 * 9 + 7 * 4 + 1).epsilon(1e-4));
  // Where the compiler has made other widths of them, only the sum of their bytes tells.
  seen[static_cast<std::size_t>(model::AccessKind::global_load_16)] = 0;
  seen[static_cast<std::size_t>(model::AccessKind::global_load_4)] = 100;
  const double all = text.code().executed(seen)->instructions;
  CHECK(all > 100 * 4 / 16 * 9);
  CHECK(all < 1.1 * (100 * 4 / 16 * 9));
}

TEST_CASE("a warp goes into a branch if one of its lanes does, and rarely past it") {
  // a loop of a load and a comparison, of 10 instructions in a branch, and of 3 where its ways meet
  constexpr unsigned meet = 0x941;
  const auto code = [&](unsigned first_behind) {
    Text text;
    text.add(other, 2).add(load).add(other).branch(15, true);  // 0 to 4
    text.add(other, 10).add(first_behind).add(other).branch(2, true).add(exit_);
    return text.code();
  };
  constexpr double turns = 100, without = 3 + turns * 6;
  CHECK(code(meet).executed(accesses(turns, 0))->instructions > without + 0.9 * turns * 10);
  // The same branch, if no lanes part there: nothing says how often it is taken.
  CHECK(code(other).executed(accesses(turns, 0))->instructions < without + 0.6 * turns * 10);
}

TEST_CASE("a warp goes both ways of a branch where its accesses cannot be explained otherwise") {
  // a loop with a load, and with an atomic on either way of a branch
  constexpr unsigned meet = 0x941;
  const auto code = [](bool apart) {
    Text text(apart);
    text.add(other, 2).add(load).meet_before(17).branch(11, true);  // 0 to 4
    text.add(other, 4).add(shared_add).branch(16, false);           // 5 to 10
    text.add(other, 4).add(shared_add).add(meet);                   // 11 to 16
    return text.add(other).branch(2, true).add(exit_).code();       // 17 to 19
  };
  constexpr double turns = 100, one_way = 6, other_way = 5, rest = 6;
  for (const bool apart : {false, true}) {
    CAPTURE(apart);
    const double both = code(apart).executed(accesses(turns, 2 * turns))->instructions;
    CHECK(both == doctest::Approx(3 + turns * (one_way + other_way + rest)).epsilon(0.01));
    const double either = code(apart).executed(accesses(turns, turns))->instructions;
    CHECK(either == doctest::Approx(3 + turns * ((one_way + other_way) / 2 + rest)).epsilon(0.05));
  }
}

TEST_CASE("a warp goes both ways of a branch as often as the simulator has seen it") {
  // a loop of 8 instructions with a load, in which lanes part: 3 with an atomic for some, 6 for the others
  Text text;
  text.add(load).meet_before(14).branch(6, true);     // 0 to 2
  text.add(other).add(shared_add).branch(12, false);  // 3 to 5
  text.add(other, 6).add(bsync).add(other);           // 6 to 13
  text.branch(0, true).add(exit_);                    // 14, 15
  const auto instructions = [&](double atomics, double both) {
    return text.code().executed(accesses(20, atomics), {}, {.both = both})->instructions;
  };
  CHECK(instructions(20, 0) == doctest::Approx(20 * (6 + 3) + 1));
  CHECK(instructions(20, 20) == doctest::Approx(20 * (6 + 3 + 6) + 1));
  CHECK(instructions(15, 10) == doctest::Approx(20 * 6 + 15 * 3 + 15 * 6 + 1));
  // It comes to the branch 20 times.
  CHECK(instructions(20, 1000) == doctest::Approx(20 * (6 + 3 + 6) + 1));
}

TEST_CASE("a branch with loads on both ways is gone through twice only if lanes were seen to load on both") {
  // a loop of 7 instructions, in which a branch leads to a load and 3 more, or to one and 8 more
  Text text;
  text.add(other).meet_before(16).branch(7, true);  // 0 to 2
  text.add(load).add(other, 2).branch(15, false);   // 3 to 6
  text.add(load).add(other, 8 - 1).add(bsync);      // 7 to 15
  text.add(other, 2).branch(0, true).add(exit_);    // 16 to 19
  const auto instructions = [&](double loads, const model::SeenWays& seen) {
    return text.code().executed(accesses(loads, 0), {}, seen)->instructions;
  };
  const double either = instructions(20, {});
  CHECK(instructions(20, {.both = 20}) == doctest::Approx(either));
  CHECK(instructions(40, {.both = 20, .both_with_accesses = 20}) == doctest::Approx(20 * (7 + 4 + 8) + 1));
}

TEST_CASE("a warp issues accesses under a predicate that none of its lanes fulfils, and makes none") {
  // 2 instructions, then a loop of 6 with a barrier and a load that a warp makes in some turns only
  Text text;
  text.add(other, 2);
  text.add(barrier).add(other, 3).add_predicated(load).branch(2, true).add(exit_);
  model::Accesses seen = accesses(6, 0);
  seen[static_cast<std::size_t>(model::AccessKind::barrier)] = 11;
  CHECK(text.code().executed(seen)->instructions == doctest::Approx(2 + 11 * 6 + 1));
  // Where nothing else says how often the loop turns, the loads do.
  Text loop_of_loads;
  loop_of_loads.add(other, 2).add(other, 4).add_predicated(load).branch(2, true).add(exit_);
  CHECK(loop_of_loads.code().executed(accesses(11, 0))->instructions == doctest::Approx(2 + 11 * 6 + 1));
}

TEST_CASE("an access that one lane makes for all that are there is made each time") {
  // a loop of 9 instructions with a load, and in a branch of 6 the search for the first lane and its atomic
  const auto text = [](unsigned before_atomic) {
    Text text;
    text.add(other, 2);
    text.add(load).add(other, 3).branch(11, true);                     // 2 to 6
    text.add(before_atomic).add(other, 2).add_predicated(shared_add);  // 7 to 10
    return text.add(other, 3).branch(2, true).add(exit_);
  };
  constexpr unsigned find_first_lane = 0x2bd;
  CHECK(text(find_first_lane).code().executed(accesses(60, 4))->instructions ==
        doctest::Approx(2 + 60 * 9 + 4 * 4 + 1));
  CHECK(text(other).code().executed(accesses(60, 4))->instructions > 2 + 60 * 9 + 15 * 4);
}

TEST_CASE("of two ways with the same loads most warps take the one without predicates") {
  // a loop of 4 instructions around a way of 3 and one of 9
  Text text;
  text.add(other).branch(12, true);                                     // 0, 1
  text.add(load).add_predicated(load).add(other, 6).branch(15, false);  // 2 to 10, and 11 is filling
  text.add(other);
  text.add(load, 2).branch(15, false);         // 12 to 14
  text.add(other).branch(0, true).add(exit_);  // 15 to 17
  const double all = text.code().executed(accesses(200, 0))->instructions;
  CHECK(all > 100 * (4 + 3) + 1);
  CHECK(all < 1.05 * (100 * (4 + 3) + 1));
}

TEST_CASE("accesses that do not stand in the code do not fit it") {
  CHECK_FALSE(loop().code().executed(accesses(20, 15, 1)));
  CHECK_FALSE(Text().add(exit_).code().executed(accesses(1, 0)));
}

TEST_CASE("a loop without an access turns as often as the constants of its counter say") {
  constexpr std::uint64_t from_0 = 0x000000ffff0a7224,
                          from_0_high = 0x000fe400078e00ff;  // IMAD.MOV.U32 R10, RZ, RZ, RZ
  constexpr std::uint64_t by_8 = 0x000000080a0a7810,
                          by_8_high = 0x000fc60007ffe0ff;  // IADD3 R10, R10, 0x8, RZ
  constexpr std::uint64_t until_24 = 0x000000180a00780c,
                          until_24_high = 0x000fc60003f05270;  // ISETP.NE P0, PT, R10, 0x18
  // a load, and for each 3 turns of 5 instructions
  const auto text = [&](std::uint64_t begin, std::uint64_t end) {
    Text all;
    all.add(load).add_words(begin, from_0_high);
    all.add(other).add_words(by_8, by_8_high).add_words(end, until_24_high).add(other).branch(2, true);
    return all.add(exit_);
  };
  const Text three = text(from_0, until_24);
  CHECK(three.code().executed(accesses(1, 0))->instructions == doctest::Approx(2 + 3 * 5 + 1));
  CHECK(three.unknown().empty());
  const Text five = text(from_0, until_24 + (std::uint64_t{16} << 32));
  CHECK(five.code().executed(accesses(1, 0))->instructions == doctest::Approx(2 + 5 * 5 + 1));
  // a counter that begins with another register's value, or never meets its end
  CHECK_FALSE(text(from_0 & ~(std::uint64_t{255} << 24), until_24).unknown().empty());
  CHECK_FALSE(text(from_0, until_24 + (std::uint64_t{1} << 32)).unknown().empty());
}

TEST_CASE("what is no machine code is refused") {
  CHECK_THROWS_AS(model::MachineCode({}), std::invalid_argument);
  CHECK_THROWS_AS(model::MachineCode(std::vector<unsigned char>(24)), std::invalid_argument);
  CHECK_THROWS_AS(Text().branch(1000, true).add(exit_).code(), std::invalid_argument);
}

TEST_CASE("votes say how often a warp passes a branch that they stand behind") {
  constexpr unsigned vote = 0x806;
  Text text;  // a loop of a load, and of four votes that may be left out
  text.add(load)
      .branch(6, true)
      .add(vote, 4)  // 0 to 5
      .branch(0, true)
      .add(exit_);
  const auto instructions = [&](double loads, double votes) {
    model::Accesses all = accesses(loads, 0);
    all[static_cast<std::size_t>(model::AccessKind::vote)] = votes;
    return text.code().executed(all)->instructions;
  };
  CHECK(instructions(10, 40) == doctest::Approx(10 * 7 + 1));
  CHECK(instructions(10, 4) == doctest::Approx(10 * 3 + 4 + 1));
  // The compiler has votes of its own, of which the program knows nothing.
  CHECK(instructions(10, 0) == doctest::Approx(10 * 3 + 5 * 8.0 / 3 + 1));
}

TEST_CASE("a match that the program does not have is the compiler's own") {
  constexpr unsigned match = 0x3a1;
  Text text;
  text.add(match).add(load).branch(0, true).add(exit_);
  CHECK(text.code().executed(accesses(10, 0))->instructions == doctest::Approx(10 * 3 + 1));
}

TEST_CASE("an operation of a warp that the compiler has made another of is not missed") {
  CHECK(Text().add(load).add(exit_).code().executed(accesses(1, 0, 0, 5))->instructions ==
        doctest::Approx(2));
}

TEST_CASE("a warp whose lanes are together does not take the way of lanes that have parted") {
  // The way leads to a copy of the shuffle and back.
  Text text;
  text.branch_of_parted_lanes(4).add(shuffle).add(other).add(exit_).add(other, 6).add(shuffle).branch(2,
                                                                                                      false);
  CHECK(text.code().executed(accesses(0, 0, 0, 1))->instructions == doctest::Approx(4));
}

// A loop of ten turns with a load and a switch: a branch, and behind it a jump through a table to two ways or
// a third one.
model::MachineCode switch_in_loop() {
  Text text;
  text.add(other);                                        // 0
  text.add(load).meet_before(12);                         // 1, 2: they meet at 11
  text.branch(9, true);                                   // 3
  text.add(other).add(brx);                               // 4, 5
  text.add(other).branch(11, false);                      // 6, 7
  text.branch(11, false);                                 // 8: the other way
  text.add(other, 2);                                     // 9, 10
  text.add(bsync).add(other).branch(1, true).add(exit_);  // 11 to 14
  return text.code();
}

TEST_CASE("a warp whose lanes part goes all ways of a switch with a jump through a table") {
  const auto parted = switch_in_loop().executed(accesses(10, 0), {}, {.part = true});
  REQUIRE(parted);
  CHECK(parted->jumps == doctest::Approx(10));
  CHECK(parted->jump_ways == doctest::Approx(20));
  CHECK(parted->partings == doctest::Approx(20));
  // a turn: 1 to 3, 4 and 5, 6 and 7, 8, 9 and 10, three times 11, 12 and 13
  CHECK(parted->instructions == doctest::Approx(1 + 10 * (3 + 2 + 2 + 1 + 2 + 3 + 2) + 1));
}

TEST_CASE("a switch may begin where the lanes of another one meet") {
  Text text;
  text.add(load).meet_before(6).add(brx);                   // 0 to 2
  text.add(other).branch(5, false).add(bsync);              // 3 to 5
  text.meet_before(11).add(brx);                            // 6, 7
  text.add(other).branch(10, false).add(bsync).add(exit_);  // 8 to 11
  const auto found = text.code().executed(accesses(1, 0), {}, {.part = true});
  REQUIRE(found);
  CHECK(found->instructions == doctest::Approx(12));
}

TEST_CASE("a warp whose lanes stay together goes one way of a switch") {
  const auto together = switch_in_loop().executed(accesses(10, 0), {}, {.part = false});
  REQUIRE(together);
  CHECK(together->jump_ways == doctest::Approx(together->jumps));
  CHECK(together->partings == doctest::Approx(0));
  CHECK(together->instructions < 1 + 10 * (3 + 2 + 2 + 1 + 2) + 1);
}
