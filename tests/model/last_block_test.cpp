// SPDX-License-Identifier: MIT
#include "model/last_block.hpp"

#include <doctest/doctest.h>

using model::BlockSteps;
using model::Step;
using model::StepKind;
using model::Stream;
using model::WarpSteps;

namespace {

Step load_at(std::uint8_t place) { return {.kind = StepKind::global_load, .place = place}; }
const Step meeting{.kind = StepKind::block_barrier}, ending{.kind = StepKind::warp_ends};

Stream blocks_of(std::vector<WarpSteps> warps) {
  Stream stream;
  for (WarpSteps& warp : warps) stream.blocks.push_back({{std::move(warp)}});
  return stream;
}

}  // namespace

TEST_CASE("what the last block does where no other comes is its own part, barriers in between too") {
  const Stream stream =
      blocks_of({{load_at(1), load_at(2), meeting, ending},
                 {load_at(1), load_at(2), meeting, ending},
                 {load_at(1), load_at(2), meeting, load_at(3), meeting, load_at(2), load_at(4), ending}});
  const auto part = model::part_of_last_block(stream);
  REQUIRE(part.has_value());
  CHECK(*part == BlockSteps{{{load_at(3), meeting, load_at(2), load_at(4), ending}}});
  CHECK(model::last_block_of(stream)->all == stream.blocks.back());
  CHECK(model::without_part_of_last_block(stream).blocks.back() ==
        BlockSteps{{{load_at(1), load_at(2), meeting, ending}}});
}

TEST_CASE("a warp of the last block that does nothing of its own only ends") {
  Stream stream = blocks_of({{load_at(1), meeting, ending}, {load_at(1), meeting, load_at(3), ending}});
  for (BlockSteps& block : stream.blocks) block.warps.push_back({load_at(1), meeting, ending});
  CHECK(model::part_of_last_block(stream) == BlockSteps{{{load_at(3), ending}, {ending}}});
  CHECK(model::without_part_of_last_block(stream).blocks.back() ==
        BlockSteps{{{load_at(1), meeting, ending}, {load_at(1), meeting, ending}}});
}

TEST_CASE("its part begins behind as many barriers in all warps") {
  Stream stream = blocks_of(
      {{load_at(1), meeting, ending}, {load_at(1), meeting, load_at(3), meeting, load_at(4), ending}});
  stream.blocks[0].warps.push_back({load_at(1), meeting, ending});
  stream.blocks[1].warps.push_back({load_at(1), meeting, meeting, load_at(4), ending});
  CHECK(model::part_of_last_block(stream) ==
        BlockSteps{{{load_at(3), meeting, load_at(4), ending}, {meeting, load_at(4), ending}}});
}

TEST_CASE("there is none where all blocks do the same, in one block, and at a rare place of a loop") {
  CHECK_FALSE(model::part_of_last_block(blocks_of({{load_at(1), ending}, {load_at(1), load_at(1), ending}})));
  CHECK_FALSE(model::part_of_last_block(blocks_of({{load_at(1), ending}})));
  const Stream rare = blocks_of({{load_at(1), load_at(1), load_at(1), ending},
                                 {load_at(1), load_at(9), load_at(1), load_at(1), ending}});
  CHECK_FALSE(model::part_of_last_block(rare));
  CHECK(model::without_part_of_last_block(rare).blocks == rare.blocks);
}
