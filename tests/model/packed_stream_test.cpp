// SPDX-License-Identifier: MIT
// The bytes that a stream of steps is packed into.
#include <doctest/doctest.h>

#include <stdexcept>

#include "model/stream.hpp"
#include "steps_by_hand.hpp"

using by_hand::dram_load;
using by_hand::end;
using by_hand::increment;
using model::BlockSteps;
using model::StepKind;

TEST_CASE("steps come back from the bytes that they are packed into") {
  const std::vector<BlockSteps> blocks{{{{dram_load, increment, end}, {end}}},
                                       {{{{.kind = StepKind::global_atomic_common,
                                           .computed = true,
                                           .joins = true,
                                           .in_counted_loop = true,
                                           .entered = 255,
                                           .folded = 254,
                                           .branches = 7,
                                           .divisions = 3,
                                           .jumps = 4,
                                           .ways = 12,
                                           .arithmetic = 700,
                                           .bytes = 16,
                                           .cost = 1056,
                                           .sectors = 8,
                                           .full_turns = 3,
                                           .lines = 32,
                                           .half_pieces = -4,
                                           .place = 9,
                                           .rounds = 32,
                                           .word = 200}}}}};
  CHECK(model::unpack(model::pack(blocks)) == blocks);
  // 0: a step that follows, of 22 bytes; it may be given again by its number
  const unsigned char begins = static_cast<unsigned char>(StepKind::block_begins),
                      ends = static_cast<unsigned char>(StepKind::warp_ends);
  CHECK(model::unpack({0, begins, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}) ==
        std::vector<BlockSteps>(2));
  CHECK_THROWS_AS(model::unpack({0, begins, 0, 0, 0, 0, 0, 0, 0, 0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(model::unpack({1}), std::invalid_argument);
  CHECK_THROWS_AS(model::unpack({0x80}), std::invalid_argument);
  CHECK_THROWS_AS(model::unpack({0, static_cast<unsigned char>(StepKind::count),
                                 0, 0,
                                 0, 0,
                                 0, 0,
                                 0, 0,
                                 0, 0,
                                 0, 0,
                                 0, 0,
                                 0, 0,
                                 0, 0,
                                 0, 0,
                                 0}),
                  std::invalid_argument);
  CHECK_THROWS_AS(model::unpack({0, ends, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                  std::invalid_argument);
}

TEST_CASE("loads that have a number in common say where the first of them lies") {
  const auto half_of = [](std::uint16_t number) {
    model::Step load = dram_load;
    load.half_of = number;
    return load;
  };
  const BlockSteps block{
      {{half_of(1), increment, half_of(2), end}, {half_of(1), half_of(2), dram_load, end}}};
  CHECK(model::unpack(model::pack({block, block})) == std::vector{block, block});
  // The second block's steps are those of the first.
  CHECK(model::pack({block, block}).size() == model::pack({block}).size() + 1 + 2 + 4 + 4);
  // one warp back, from a block's first warp
  std::vector<unsigned char> nowhere = model::pack({{{{dram_load}}}});
  nowhere[nowhere.size() - 3] = 1;
  CHECK_THROWS_AS(model::unpack(nowhere), std::invalid_argument);
}

TEST_CASE("steps of more than 128 kinds take two bytes each") {
  BlockSteps block{{{}}};
  for (unsigned turn = 0; turn < 2; ++turn) {
    for (unsigned cost = 0; cost < 200; ++cost)
      block.warps[0].push_back({.kind = StepKind::shared_load, .cost = static_cast<std::uint16_t>(cost)});
  }
  const std::vector<unsigned char> bytes = model::pack({block});
  // with the two that begin block and warp: 128 numbers of one byte and 74 of two, twice but for these two
  CHECK(bytes.size() == 202 * 22 + (128 + 2 * 74) + (126 + 2 * 74));
  CHECK(model::unpack(bytes) == std::vector<BlockSteps>{block});
}
