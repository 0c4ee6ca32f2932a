// SPDX-License-Identifier: MIT
// What the model takes a GPU's compiler to do where it has no machine code.
#include <doctest/doctest.h>

#include "model/code_facts.hpp"
#include "model/instructions.hpp"
#include "model/unrolled_loads.hpp"
#include "steps_by_hand.hpp"

using by_hand::dram_load;
using by_hand::end;
using by_hand::increment;
using model::Step;
using model::StepKind;

namespace {

// Turns of a loop: a load, and so many atomics.
model::Stream loop_of(unsigned turns, unsigned atomics, bool is_counted) {
  Step load = dram_load;
  load.entered = 1;
  load.place = 7;
  load.in_counted_loop = is_counted;
  model::WarpSteps steps;
  for (unsigned i = 0; i < turns; ++i) {
    steps.push_back(load);
    steps.insert(steps.end(), atomics, increment);
  }
  steps.push_back(end);
  model::Stream stream;
  stream.blocks = {{{steps}}};
  return stream;
}

}  // namespace

TEST_CASE("a loop by a constant to an unknown end is unrolled four times, twice if its turns are long") {
  CHECK(int{model::turns_of_counted_loops(loop_of(8, 1, true))[7]} == 4);
  CHECK(int{model::turns_of_counted_loops(loop_of(8, 8, true))[7]} == 4);
  CHECK(int{model::turns_of_counted_loops(loop_of(8, 16, true))[7]} == 2);
  CHECK(int{model::turns_of_counted_loops(loop_of(8, 32, true))[7]} == 1);
  CHECK(int{model::turns_of_counted_loops(loop_of(8, 1, false))[7]} == 0);
}

TEST_CASE("loads of later turns come first, but not in front of what is written to global memory") {
  const auto loads_in_front = [](bool writes, bool writes_stop) {
    model::Stream stream = loop_of(4, 1, true);
    if (writes) stream.blocks[0].warps[0][1].kind = StepKind::global_atomic;
    std::array<std::uint8_t, 256> turns{};
    turns[7] = 4;
    const auto moved = model::loaded_ahead({{1, stream}}, turns, {}, writes_stop);
    const model::WarpSteps& steps = moved[0].stream.blocks[0].warps[0];
    std::size_t count = 0;
    while (steps[count].kind == StepKind::global_load) ++count;
    return count;
  };
  CHECK(loads_in_front(false, true) == 4);
  CHECK(loads_in_front(true, false) == 4);
  CHECK(loads_in_front(true, true) == 1);
}

TEST_CASE("a block to which no branch of the GPU's code leads costs less") {
  const model::InstructionTable table;
  Step step = dram_load;
  step.entered = 4;
  const double all = model::instructions(step, table);
  step.folded = 2;
  CHECK(all - model::instructions(step, table) == doctest::Approx(2 * (table.between - table.folded)));
  step.joined = std::exchange(step.folded, std::uint8_t{0});  // where there is machine code
  CHECK(all - model::instructions(step, table) == doctest::Approx(2 * (table.between - table.folded)));
}

TEST_CASE("what is computed between loads that become one is still computed") {
  Step load{.kind = StepKind::shared_load, .arithmetic = 5, .cost = 1, .place = 3}, next = load;
  next.joins = true;
  model::Stream stream;
  stream.blocks = {{{{load, next, next, end}}}};
  const auto joined = model::joined({{1, stream}}, {}, {});
  const model::WarpSteps& steps = joined[0].stream.blocks[0].warps[0];
  CHECK(steps.size() == 2);
  CHECK(steps[0].arithmetic == 15);
}

TEST_CASE("jumps through a table, and the ways that lanes go from there, are told without code") {
  Step step = dram_load;
  step.jumps = 1;
  step.ways = 3;
  model::Stream stream;
  stream.blocks = {{{{step, increment, end}}}};
  const model::InstructionTable table;
  const double all = model::instructions(step, table) + model::instructions(increment, table) +
                     model::instructions(end, table);
  const model::CodeFacts facts = model::facts_without_code(stream, table);
  CHECK(facts.jumps == doctest::Approx(1 / all));
  CHECK(facts.jump_ways == doctest::Approx(3 / all));
  CHECK(facts.partings == doctest::Approx(2 / all));
  stream.blocks[0].warps[0][0].jumps = 0;
  CHECK(model::facts_without_code(stream, table).jump_ways == 0);
}
