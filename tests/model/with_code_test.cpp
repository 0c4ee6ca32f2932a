// SPDX-License-Identifier: MIT
// What the model makes of a stream when the machine code says more.
#include <doctest/doctest.h>

#include <array>
#include <utility>
#include <vector>

#include "model/instructions.hpp"
#include "model/unmade_accesses.hpp"
#include "model/unrolled_loads.hpp"
#include "steps_by_hand.hpp"

using by_hand::dram_load;
using model::Step;
using model::StepKind;

TEST_CASE("loads at two places are under way together where the code has so many at a time") {
  const auto blocks_of_loads = [](std::uint8_t at_a_time, std::uint8_t second, std::uint8_t third) {
    model::WarpSteps steps;
    for (const std::uint8_t place : {std::uint8_t{7}, second, third}) {
      Step load = dram_load;
      load.entered = 3;
      load.place = place;
      load.bytes = 4;
      steps.push_back(load);
    }
    model::Stream stream;
    stream.blocks = {{{steps}}};
    std::array<std::uint8_t, 256> turns{};
    turns.fill(at_a_time);
    const auto moved = model::loaded_ahead({{1, stream}}, turns, {}, false);
    std::vector<int> blocks;
    for (const Step& step : moved[0].stream.blocks[0].warps[0]) blocks.push_back(step.blocks());
    return blocks;
  };
  CHECK(blocks_of_loads(1, 8, 9) == std::vector{3, 3, 3});
  CHECK(blocks_of_loads(2, 8, 9) == std::vector{3, 1, 3});
  CHECK(blocks_of_loads(3, 8, 9) == std::vector{3, 1, 1});
  CHECK(blocks_of_loads(3, 8, 7) == std::vector{3, 1, 3});  // a turn later
}

TEST_CASE("such a load goes past a store to shared memory, but not past a barrier") {
  const auto kinds_with = [](StepKind between) {
    Step load = dram_load, other = dram_load;
    load.place = 7;
    other.place = 8;
    model::Stream stream;
    stream.blocks = {{{{load, Step{.kind = between}, other}}}};
    std::array<std::uint8_t, 256> turns{};
    turns.fill(2);
    const auto moved = model::loaded_ahead({{1, stream}}, turns, {}, false);
    std::vector<StepKind> kinds;
    for (const Step& step : moved[0].stream.blocks[0].warps[0]) kinds.push_back(step.kind);
    return kinds;
  };
  using enum StepKind;
  CHECK(kinds_with(shared_store) == std::vector{global_load, global_load, shared_store});
  CHECK(kinds_with(block_barrier) == std::vector{global_load, block_barrier, global_load});
}

TEST_CASE("what only some warps of a block access between two barriers the others issue, too") {
  const Step access{.kind = StepKind::shared_load, .arithmetic = 5, .cost = 1, .place = 3},
      barrier{.kind = StepKind::block_barrier};
  const model::InstructionTable table;
  const double cost = model::instructions(access, table);
  const auto unmade_of = [&](const model::BlockSteps& block, double unmade) {
    const auto samples = model::with_unmade_accesses({{1, {.blocks = {block}}}}, unmade, table);
    std::vector<std::pair<float, float>> result;
    for (const model::WarpSteps& warp : samples[0].stream.blocks[0].warps) {
      for (const Step& step : warp) {
        if (step.kind == StepKind::block_barrier) result.emplace_back(step.unmade_accesses, step.unmade);
      }
    }
    return result;
  };
  const model::BlockSteps tree{{{access, barrier, access, access, barrier}, {access, barrier, barrier}}};
  const std::pair<float, float> none{0, 0};
  CHECK(unmade_of(tree, 0) == std::vector{none, none, none, none});
  CHECK(unmade_of(tree, 1) == std::vector{none, none, none, {2, static_cast<float>(2 * cost)}});
  CHECK(unmade_of(tree, 0.5) == std::vector{none, none, none, {1, static_cast<float>(cost)}});
  CHECK(unmade_of(tree, 8) == std::vector{none, none, none, {2, static_cast<float>(2 * cost)}});
  CHECK(unmade_of({{{access, barrier}, {barrier, barrier}}}, 1) == std::vector{none, none, none});

  // They are instructions of the barrier.
  Step with = barrier;
  with.unmade = 3;
  CHECK(model::instructions(with, times(table, 2)) - model::instructions(barrier, times(table, 2)) ==
        doctest::Approx(6));
}
