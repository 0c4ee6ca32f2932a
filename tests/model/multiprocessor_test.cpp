// SPDX-License-Identifier: MIT
// What holds warps back on a multiprocessor, on steps made by hand.
#include "model/multiprocessor.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "model/unrolled_loads.hpp"
#include "steps_by_hand.hpp"

using by_hand::dram_load;
using by_hand::end;
using by_hand::increment;
using by_hand::plain;
using by_hand::round_device;
using model::BlockSteps;
using model::Bound;
using model::Step;
using model::StepKind;

namespace {

double cycles_of(std::vector<std::vector<Step>> warps, const model::Setting& setting = {}) {
  const std::vector<BlockSteps> blocks{{std::move(warps)}};
  return simulate(blocks, round_device(), setting, plain).cycles;
}

}  // namespace

TEST_CASE("an atomic takes a turn of its sector for each lane on the fullest word") {
  using Turns = model::SectorTurns;
  CHECK(model::sector_turns(std::vector<std::uintptr_t>(32, 4096), 4) == Turns{32, 0});
  std::vector<std::uintptr_t> row;
  for (unsigned lane = 0; lane < 32; ++lane) row.push_back(4096 + 4 * lane);
  CHECK(model::sector_turns(row, 4) == Turns{4, 4});  // each word once: the four sectors
  CHECK(model::sector_turns({0, 0, 0, 4, 32, 32, 64}, 4) == Turns{3 + 2 + 1, 0});
  CHECK(model::sector_turns({}, 4) == Turns{0, 0});
}

TEST_CASE("a turn is full that serves all words of a sector") {
  using Turns = model::SectorTurns;
  const std::vector<std::uintptr_t> words{0, 4, 8, 12, 16, 20, 24, 28};
  std::vector<std::uintptr_t> seven{words.begin(), words.end() - 1}, again = words;
  again.insert(again.end(), {0, 4});
  CHECK(model::sector_turns(words, 4) == Turns{1, 1});
  CHECK(model::sector_turns(seven, 4) == Turns{1, 0});
  CHECK(model::sector_turns(again, 4) == Turns{2, 1});             // the second has two words
  CHECK(model::sector_turns({32, 40, 48, 56}, 8) == Turns{1, 1});  // of 64 bits
  CHECK(model::sector_turns({32, 40, 48, 56}, 4) == Turns{1, 0});  // only their lower halves
}

TEST_CASE("loads before the first use are under way together") {
  // issued at 1, at DRAM until 3 and there at 503; the increment is issued then, and the warp ends one cycle
  // later
  CHECK(cycles_of({{dram_load, increment, end}}) == 505);
  // eight: the last one is issued at 8, and DRAM has served it at 10
  std::vector<Step> eight(8, dram_load);
  eight.insert(eight.end(), {increment, end});
  CHECK(cycles_of({eight}) == 512);
  // one after the other where each is used before the next is loaded
  std::vector<Step> bytewise;
  for (int i = 0; i < 8; ++i) bytewise.insert(bytewise.end(), {dram_load, increment});
  bytewise.push_back(end);
  CHECK(cycles_of({bytewise}) == 8 * 504 + 1);
}

TEST_CASE("an access that no lane makes takes a wavefront of the unit") {
  Step barrier{.kind = StepKind::block_barrier};
  const double without = simulate({{{{barrier, end}}}}, round_device(), {.blocks = 1, .resident = 1}, plain)
                             .busy[static_cast<std::size_t>(Bound::shared_memory)];
  barrier.unmade_accesses = 3;
  CHECK(simulate({{{{barrier, end}}}}, round_device(), {.blocks = 1, .resident = 1}, plain)
                .busy[static_cast<std::size_t>(Bound::shared_memory)] -
            without ==
        3 * round_device().wavefront_cycles);
}

TEST_CASE("the warps of a block take turns, and an older block goes first") {
  // Each warp issues 20 times, and then comes to a barrier: when it comes there says in which order.
  std::vector<Step> steps(20, increment);
  steps.insert(steps.end(), {Step{.kind = StepKind::block_barrier}, end});
  const auto waits_at_barrier = [](const std::vector<BlockSteps>& blocks, unsigned number) {
    const model::Course course = simulate(blocks, round_device(), {.blocks = number, .resident = 2}, plain);
    return course.busy[static_cast<std::size_t>(Bound::barrier)];
  };
  // They come at 41 and 42, the barrier has counted them at 45, and 12 cycles later they go on.
  CHECK(waits_at_barrier({{{steps, steps}}}, 1) == doctest::Approx((57 - 41 + 57 - 42) / 2.0));
  // Alone in their blocks they come at 21 and 42, wait for 14 cycles each, and end at 36 and 57.
  CHECK(waits_at_barrier({{{steps}}}, 2) == doctest::Approx(28 / ((36 + 57) / 57.0)));
}

TEST_CASE("of warps that wait for shared memory the oldest block's goes first") {
  // Each of two warps has ten accesses of 100 wavefronts: the unit is busy for 4,000 cycles. Those of the
  // first block go on with a hundred constants, one after the other, while it serves the second one's.
  Step long_access = increment;
  long_access.cost = 100;
  std::vector<Step> accesses(10, long_access), and_constants = accesses;
  and_constants.insert(and_constants.end(), 100, {.kind = StepKind::constant_load, .cost = 1});
  accesses.push_back(end);
  and_constants.push_back(end);
  const std::vector<BlockSteps> blocks{{{and_constants, and_constants}}, {{accesses, accesses}}};
  const auto cycles = [&](bool blocks_draw) {
    const model::Setting setting{.blocks = 2, .resident = 2, .blocks_draw = blocks_draw};
    return simulate(blocks, round_device(), setting, plain).cycles;
  };
  // A constant takes a warp 32 cycles. The first block's last access is issued 256 cycles before the 2,000th,
  // or, where blocks take turns, 100 before that of the 3,900th.
  CHECK(cycles(false) == 4948);
  CHECK(cycles(true) == 6750);
}

TEST_CASE("shuffles go through the unit of shared memory, matches through another one") {
  constexpr unsigned times = 100;
  Step access = increment;
  access.cost = 4;
  const auto cycles = [&](const Step& other) {
    std::vector<Step> steps;
    for (unsigned i = 0; i < times; ++i) steps.insert(steps.end(), {access, other});
    steps.push_back(end);
    const std::vector<BlockSteps> blocks{{std::vector<std::vector<Step>>(40, steps)}};
    return simulate(blocks, round_device(), {}, plain).cycles / times / 40;
  };
  CHECK(cycles({.kind = StepKind::shuffle, .cost = 1}) == doctest::Approx(5).epsilon(0.05));
  CHECK(cycles({.kind = StepKind::redux, .cost = 1}) == doctest::Approx(4).epsilon(0.05));
  CHECK(cycles({.kind = StepKind::match, .cost = 2}) == doctest::Approx(7).epsilon(0.05));
}

TEST_CASE("what is read of special registers keeps the unit of matches busy") {
  const Step match{.kind = StepKind::match, .cost = 2};
  std::vector<Step> steps(100, match);
  steps.push_back(end);
  const std::vector<BlockSteps> blocks{{std::vector<std::vector<Step>>(40, steps)}};
  const auto cycles = [&](double special_reads) {
    return simulate(blocks, round_device(), {.special_reads = special_reads}, plain).cycles / 4000;
  };
  CHECK(cycles(0) == doctest::Approx(7).epsilon(0.05));
  CHECK(cycles(1) == doctest::Approx(9).epsilon(0.05));
}

TEST_CASE("while a warp waits for its own results another one issues") {
  Step long_way = increment;
  long_way.arithmetic = 15;
  model::InstructionTable table = plain;
  table.arithmetic = 1;
  model::Device device = round_device();
  device.instruction_cycles = 4;
  const std::vector<BlockSteps> blocks{{{{long_way, end}, {dram_load, increment, end}}}};
  // the load is issued behind 8 of the 16 instructions, at 8 to 12, and there at 514; then the increment's 4
  // cycles and the end
  CHECK(simulate(blocks, device, {}, table).cycles == 519);
}

TEST_CASE("what basic blocks compute counts by the table") {
  Step computed = increment;
  computed.arithmetic = 300;
  computed.branches = 2;
  model::InstructionTable table = plain;
  table.arithmetic = 0.5;
  table.branch = 2;
  CHECK(model::instructions(computed, table) == 1 + 150 + 4);
  CHECK(model::instructions(computed, times(table, 2)) == 2 + 300 + 8);
}

TEST_CASE("a division is many instructions") {
  Step divided = increment;
  divided.divisions = 2;
  model::InstructionTable table = plain;
  table.division = 18;
  CHECK(model::instructions(increment, table) == 1);
  CHECK(model::instructions(divided, table) == 1 + 2 * 18);
  CHECK(model::instructions(divided, times(table, 0.5)) == 0.5 + 2 * 9);
}

TEST_CASE("DRAM takes longer for a sector that is wanted without its neighbour") {
  Step scattered = dram_load;
  scattered.sectors = scattered.half_pieces = 32;
  model::Device device = round_device();  // a cycle for a sector
  device.dram_request_cycles = 1.75;
  const auto cycles = [&](const Step& load) {
    const std::vector<BlockSteps> blocks{{{{load, increment, end}}}};
    return simulate(blocks, device, {}, plain).cycles;
  };
  // issued at 1, through L1 at 2, and a cycle each for what follows
  CHECK(cycles(scattered) == 2 + 32 * 1.75 + 500 + 2);
  scattered.half_pieces = 8;
  CHECK(cycles(scattered) == 2 + 32 + 8 * 0.75 + 500 + 2);
  // A load before has brought them.
  scattered.half_pieces = -32;
  CHECK(cycles(scattered) == 2 + 32 - 32 * 0.75 + 500 + 2);
  // No more than for both sectors of a piece.
  scattered.half_pieces = 32;
  device.dram_request_cycles = 3;
  CHECK(cycles(scattered) == 2 + 32 * 2 + 500 + 2);
  // Only what is wanted counts as DRAM's own time.
  const std::vector<BlockSteps> blocks{{{{scattered, increment, end}}}};
  const model::Course course = simulate(blocks, device, {}, plain);
  CHECK(course.busy[static_cast<std::size_t>(Bound::dram)] == 32);
}

TEST_CASE("the other sector of a piece that DRAM has read comes from L2") {
  Step half = dram_load;
  half.half_of = 1;
  const std::vector<Step> both{half, increment, half, increment, end};
  // there at 503 and used at 504; asked for at 505, behind L1 at 506, and there at 706
  CHECK(cycles_of({both}) == 708);
  // Not before DRAM has brought it: asked for at 2, it is there as early as the first one.
  CHECK(cycles_of({{half, increment, end}, {half, increment, end}}) == 506);
  // Each block has pieces of its own.
  const std::vector<BlockSteps> blocks{{{both}}};
  CHECK(simulate(blocks, round_device(), {.blocks = 2}, plain).cycles == 2 * 708);
  // In the next turn of a loop the piece is another one, whichever warp comes first.
  const model::Loops loops{{{.begin = 0, .end = 4, .more = 1}}};
  CHECK(simulate(blocks, round_device(), {}, plain, loops).cycles == 2 * 707 + 1);
}

TEST_CASE("a load takes longer where DRAM has been busy lately") {
  Step whole = dram_load;
  whole.sectors = 100;
  model::Device device = round_device();
  device.dram_queue_cycles = 90;
  const std::vector<BlockSteps> blocks{{{{whole, dram_load, increment, end}}}};
  // DRAM is busy until 102 with the first, for a tenth of the last 1,000 cycles; the second comes at 3.
  const double busy = 0.1 * std::exp(-1.0 / 1000);
  CHECK(simulate(blocks, device, {}, plain).cycles ==
        doctest::Approx(103 + 500 + 90 * busy / (1 - busy) + 2));
}

TEST_CASE("a load waits behind the atomics of its slice, as many as there are on average") {
  const Step own{.kind = StepKind::global_atomic, .cost = 100},
      common{.kind = StepKind::global_atomic_common, .cost = 50};
  const model::Setting setting{.own_turn_cycles = 10, .common_busy_slices = 0.125, .own_busy_slices = 0.75};
  // sent at 1, done at 1001; the load comes to DRAM at 4
  CHECK(cycles_of({{own, dram_load, increment, end}}, setting) == 4 + 500 + 0.75 * (1001 - 4) + 2);
  // done at 101
  CHECK(cycles_of({{common, dram_load, increment, end}}, setting) == 4 + 500 + 0.125 * (101 - 4) + 2);
  CHECK(cycles_of({{dram_load, increment, end}}, setting) == 505);
}

TEST_CASE("a branch between two loads waits for the first") {
  Step after_branch = dram_load;
  after_branch.entered = 2;
  CHECK(cycles_of({{dram_load, after_branch, increment, end}}) == 2 * 503 + 2);
}

TEST_CASE("without machine code loads come before the stores of their block") {
  Step load = dram_load, store{.kind = StepKind::shared_store, .cost = 1};
  load.entered = 2, load.folded = 1;
  CHECK(load.blocks() == 1);
  const Step again{.kind = StepKind::global_load, .entered = 1, .folded = 1, .sectors = 4, .place = 2};
  const auto order = [](const model::WarpSteps& steps) {
    std::string text;
    for (const Step& step : model::loaded_first(steps)) {
      if (step.blocks() > 0) text += '|';
      text += step.kind == StepKind::global_load ? 'l' : step.kind == StepKind::shared_store ? 's' : '.';
    }
    return text;
  };
  CHECK(order({load, store, again, store, again, store, end}) == "|lllsss.");
  // not in front of what another block has stored, an atomic, or what was loaded in shared memory
  Step next = again;
  next.folded = 0;
  CHECK(order({load, store, next, store, again, store, end}) == "|ls|llss.");
  CHECK(model::loaded_first({load, next}).at(0).blocks() == 2);
  CHECK(model::loaded_first({load, next}).at(1).blocks() == 1);
  CHECK(order({load, store, increment, store, again, end}) == "|ls.ls.");
  store.entered = 1;
  CHECK(order({load, store, again, again, end}) == "|l|lls.");
  // of a long loop some turns come together
  const std::vector<Step> turns(33, again);
  CHECK(order({turns.begin(), turns.begin() + 32}) == std::string(32, 'l'));
  std::string in_fours;
  for (int i = 0; i < 33; ++i) in_fours += i % 4 == 0 ? "|l" : "l";
  CHECK(order(turns) == in_fours);
  // an outer loop of eight loads each
  std::vector<Step> nested(40, again);
  for (std::size_t i = 8; i < nested.size(); i += 8) nested[i].entered = nested[i].folded = 9;
  CHECK(order(nested) == "llllllll|llllllll|llllllll|llllllll|llllllll");
  // an atomic in between uses what was loaded
  std::vector<Step> used(65, again);
  used[32] = increment;
  CHECK(order(used) == std::string(32, 'l') + '.' + std::string(32, 'l'));
  // of many places as many as there are registers for
  std::vector<Step> many;
  for (std::uint8_t i = 0; i < 40; ++i) {
    many.push_back(again);
    many.back().place = i;
    many.push_back({.kind = StepKind::shared_store, .cost = 1});
  }
  CHECK(order(many) ==
        std::string(32, 'l') + std::string(32, 's') + std::string(8, 'l') + std::string(8, 's'));
}

TEST_CASE("in a loop whose turns nobody could count each load is used before the next") {
  Step in_turn = dram_load;
  in_turn.place = 1;
  in_turn.entered = 1;
  std::vector<Step> eight(8, in_turn);
  eight.insert(eight.end(), {increment, end});
  CHECK(cycles_of({eight}) == 512);
  model::Setting setting;
  setting.turns_at_a_time[1] = 1;
  CHECK(cycles_of({eight}, setting) == 8 * 503 + 2);
  // four turns at a time, as a compiler unrolls such a loop
  setting.turns_at_a_time[1] = 4;
  CHECK(cycles_of({eight}, setting) == 2 * 506 + 2);
}

TEST_CASE("loads side by side wait for one another where the code has fewer of them under way") {
  // Two and two: the third waits for the first two, the fourth is under way with the third.
  model::Setting setting;
  setting.uses.at(model::width_of(dram_load.bytes)) = {
      {dram_load.bytes, 0, 1}, {dram_load.bytes, 0, 0}, {dram_load.bytes, 0, 1}, {dram_load.bytes, 0, 0}};
  std::vector<Step> four(4, dram_load);
  four.insert(four.end(), {increment, end});
  CHECK(cycles_of({four}) == 508);
  CHECK(cycles_of({four}, setting) == 504 + 504 + 2);
  // The next ones begin with the code's first one again, also where some of these are left out.
  std::vector<Step> three_and_two(3, dram_load);
  three_and_two.insert(three_and_two.end(), {increment, dram_load, dram_load, increment, end});
  CHECK(cycles_of({three_and_two}, setting) == 504 + 503 + 1 + 504 + 2);
  // Where each stands alone, one after the other is the code's next one: the second waits for the first,
  // which nobody has used.
  setting.uses.at(model::width_of(dram_load.bytes)) = {{dram_load.bytes, 2, 0}, {dram_load.bytes, 2, 1}};
  CHECK(cycles_of({{dram_load, increment, dram_load, increment, end}}, setting) == 503 + 3);
  setting.uses.at(model::width_of(dram_load.bytes)) = {{dram_load.bytes, 5, 1}, {dram_load.bytes, 5, 0}};
  CHECK(cycles_of({{dram_load, increment, dram_load, increment, end}}, setting) == 5);
}

TEST_CASE("a warp goes on until the code waits for a load") {
  const std::vector<Step> steps{dram_load, increment, increment, increment, end};
  const auto used_after = [](unsigned accesses, unsigned loads) {
    model::Setting setting;
    setting.uses.at(model::width_of(dram_load.bytes)) = {{dram_load.bytes, accesses, loads}};
    return setting;
  };
  CHECK(cycles_of({steps}) == 503 + 3 + 1);
  // the third increment waits: issued at 1, through L1 at 2
  CHECK(cycles_of({steps}, used_after(2, 0)) == 503 + 1 + 1);
  constexpr unsigned next_turn = model::LoadUse::next_turn;
  CHECK(cycles_of({steps}, used_after(next_turn, 0)) == 5);
  // A load waits for the one before, of which the code has none under way by then, whatever lies between.
  CHECK(cycles_of({{dram_load, increment, dram_load, increment, end}}, used_after(next_turn, 0)) == 503 + 3);
  CHECK(cycles_of({{dram_load, dram_load, increment, end}}, used_after(next_turn, 0)) == 503 + 3);
  // So many are under way together.
  CHECK(cycles_of({{dram_load, dram_load, increment, end}}, used_after(next_turn, 1)) == 4);
  CHECK(cycles_of({{dram_load, dram_load, dram_load, end}}, used_after(next_turn, 1)) == 503 + 2);
}

TEST_CASE("what a warp's operations give is waited for, and a match takes longer the more values there are") {
  const Step shuffle{.kind = StepKind::shuffle, .cost = 1}, vote{.kind = StepKind::vote, .cost = 1},
      redux{.kind = StepKind::redux, .cost = 1}, match_one{.kind = StepKind::match, .cost = 1},
      match_ten{.kind = StepKind::match, .cost = 10};
  CHECK(cycles_of({{shuffle, increment, end}}) == 1 + 1 + 25 + 2);
  CHECK(cycles_of({{vote, increment, end}}) == 1 + 10 + 2);
  CHECK(cycles_of({{redux, increment, end}}) == 1 + 2 + 15 + 2);
  CHECK(cycles_of({{match_one, increment, end}}) == 1 + 4 + 30 + 2);
  CHECK(cycles_of({{match_ten, increment, end}}) == 1 + 4 + 9 * 3 + 30 + 9 * 5 + 2);
}

TEST_CASE("constants are served one address after another, and each further one comes later") {
  const Step five{.kind = StepKind::constant_load, .cost = 5};
  CHECK(cycles_of({{five, increment, end}}) == 1 + 4 * 11 + 30 + 2);
  // two warps: those of the second are served when those of the first are
  const model::Course course = simulate({{{{five, end}, {five, end}}}}, round_device(), {}, plain);
  CHECK(course.busy[static_cast<std::size_t>(Bound::constants)] == 20);
}

TEST_CASE("shuffles wait for each other, unless the code has several under way") {
  const Step shuffle{.kind = StepKind::shuffle, .cost = 1};
  const std::vector<Step> steps{shuffle, shuffle, shuffle, shuffle, increment, end};
  CHECK(cycles_of({steps}) == 4 * 27 + 2);
  model::Setting setting;
  setting.exchanges_at_a_time = 2;
  CHECK(cycles_of({steps}, setting) == 2 * 28 + 2);
}

TEST_CASE("warps share the scheduler, L1 and DRAM") {
  // two warps: what the second issues comes into the first one's wait
  CHECK(cycles_of({{dram_load, increment, end}, {dram_load, increment, end}}) == 506);
  // a shared atomic of 32 wavefronts: the third begins when the second is done, at 65
  const Step slow{.kind = StepKind::shared_atomic, .cost = 32};
  CHECK(cycles_of({{slow, slow, slow, {.kind = StepKind::shared_load, .cost = 1}, increment, end}}) ==
        1 + 97 + 20 + 2);
}

TEST_CASE("a loop of compare-and-swaps takes a warp a round for each lane of one word") {
  const Step loop{.kind = StepKind::shared_cas_loop, .bytes = 4, .cost = 3, .rounds = 5};
  const auto changes = [](std::uint8_t word, std::uint8_t rounds) {
    return Step{.kind = StepKind::shared_cas_word, .rounds = rounds, .word = word};
  };
  CHECK(cycles_of({{loop, changes(7, 5), end}}) == 1 + 5 * 90 + 1);
  CHECK(cycles_of({{loop, changes(7, 2), end}}) == 1 + 5 * 90 + 1);
  Step of_long = loop;
  of_long.bytes = 8;
  CHECK(cycles_of({{of_long, changes(7, 5), end}}) == 1 + 5 * 110 + 1);
  // On another word the second warp has its rounds at the same time.
  CHECK(cycles_of({{loop, changes(7, 5), end}, {loop, changes(8, 5), end}}) ==
        doctest::Approx(2 + 5 * 90 + 1).epsilon(0.01));
  // On the same word it loads before the first one's change and swaps after it, five times; then it is alone.
  CHECK(cycles_of({{loop, changes(7, 5), end}, {loop, changes(7, 5), end}}) ==
        doctest::Approx(2 + 10 * 90 + 1).epsilon(0.01));
  // The same where they meet on one of several words, which each changes less often than its own.
  CHECK(cycles_of({{loop, changes(7, 5), changes(9, 3), end}, {loop, changes(8, 5), changes(9, 4), end}}) ==
        doctest::Approx(2 + 7 * 90 + 1).epsilon(0.01));
}

TEST_CASE("a barrier lets go when the last warp has come") {
  const Step barrier{.kind = StepKind::block_barrier};
  // the other warp comes at 505: its load, and the barrier's instruction
  CHECK(cycles_of({{barrier, end}, {dram_load, barrier, end}}) == 504 + 12 + 2 + 2);
  // Those that come at a time are counted one after another.
  CHECK(cycles_of({{barrier, end}, {barrier, end}, {barrier, end}, {barrier, end}}) == 1 + 4 * 2 + 12 + 1);
}

TEST_CASE("atomics on a line that all blocks change wait for those of all multiprocessors") {
  const Step atomic{.kind = StepKind::global_atomic_common, .cost = 32, .sectors = 1};
  CHECK(cycles_of({{atomic, end}}, {.active = 10}) == 1 + 32 * 2 * 10);
  CHECK(cycles_of({{atomic, end}}, {.active = 10, .common_slices = 4}) == 1 + 32 * 2 * 10 / 4);
  const Step full{.kind = StepKind::global_atomic_common, .cost = 5, .full_turns = 4};
  CHECK(cycles_of({{full, end}}, {.active = 10}) == 1 + (4 * 1.5 + 2) * 10);
  const Step own{.kind = StepKind::global_atomic, .cost = 32};
  CHECK(cycles_of({{own, end}}, {.active = 10, .own_turn_cycles = 0.1}) ==
        doctest::Approx(1 + 32 * 0.1 * 10));
}

TEST_CASE("an atomic on a sector that L2 does not hold keeps it busy for longer") {
  const Step fresh{.kind = StepKind::global_atomic, .cost = 32, .sectors = 4};
  CHECK(cycles_of({{fresh, end}}, {.active = 10, .own_turn_cycles = 0.1, .own_miss_cycles = 3}) ==
        doctest::Approx(1 + (32 * 0.1 + 3) * 10));
}

TEST_CASE("blocks start in the order of the launch") {
  // The first half waits for DRAM, the other keeps shared memory busy. In turn they would do both at a time.
  // The last atomic is in the queue, for 256 cycles and its own, when its warp ends.
  const Step slow{.kind = StepKind::shared_atomic, .cost = 250};
  const std::vector<BlockSteps> blocks{{{{dram_load, increment, end}}}, {{{slow, slow, end}}}};
  CHECK(simulate(blocks, round_device(), {.blocks = 4, .resident = 2}, plain).cycles == 507 + 3 * 250 - 256);
}

TEST_CASE("blocks that find no place wait until one ends") {
  const std::vector<BlockSteps> blocks{{{{dram_load, increment, end}}}};
  const model::Device device = round_device();
  CHECK(simulate(blocks, device, {.blocks = 2, .resident = 2}, plain).cycles == 506);
  CHECK(simulate(blocks, device, {.blocks = 2, .resident = 1}, plain).cycles == 2 * 505);
}

TEST_CASE("how many blocks a multiprocessor holds") {
  model::Device device = round_device();
  const facts::MultiprocessorLimits limits = model::limits_of(device);
  CHECK(facts::resident_blocks({256, 0, 0}, limits) == 8);
  CHECK(facts::resident_blocks({32, 0, 0}, limits) == 32);          // no more blocks
  CHECK(facts::resident_blocks({33, 0, 0}, limits) == 32);          // two warps each
  CHECK(facts::resident_blocks({256, 49 * 1024, 0}, limits) == 2);  // two times 50 KiB
  CHECK(facts::resident_blocks({256, 100 * 1024, 0}, limits) == 0);
  // one scheduler with 65,536 registers: 40 for each of 32 lanes are five times 256, so 51 warps fit
  CHECK(facts::resident_blocks({256, 0, 32}, limits) == 8);
  CHECK(facts::resident_blocks({256, 0, 33}, limits) == 6);
  CHECK(facts::resident_blocks({256, 0, 40}, limits) == 6);
  CHECK(facts::resident_blocks({32, 0, 255}, limits) == 8);
  // each of four schedulers holds 12 warps of 40 registers, so 48 fit
  device.schedulers = 4;
  CHECK(facts::resident_blocks({96, 0, 40}, limits) == 17);
  CHECK(facts::resident_blocks({96, 0, 40}, model::limits_of(device)) == 16);
}

TEST_CASE("lines that lie side by side are worked on by several slices") {
  const model::Device device = round_device();
  CHECK(device.slices(1) == 1);
  CHECK(device.slices(4) == 2);
  CHECK(device.slices(8) == doctest::Approx(4));  // half of the way from 4 to 16, by logarithms
  CHECK(device.slices(100) == 8);
}

TEST_CASE("pieces of memory that lie in slices at random keep some of them busy") {
  const model::Device device = round_device();
  CHECK(device.own_turn_cycles(1) == doctest::Approx(2));               // one of 2 / 0.1 slices
  CHECK(device.own_turn_cycles(20) == doctest::Approx(0.1 * 39 / 20));  // 20 of 20 / 39 of the time
  CHECK(device.own_turn_cycles(1e6) == doctest::Approx(0.1).epsilon(0.001));
}

TEST_CASE("the first warps of several blocks, which alone have work, go to different schedulers") {
  constexpr model::InstructionTable four{
      .warp = 0, .access = 4, .computed = 0, .between = 0, .guarded = 0, .barrier = 1};
  std::vector<Step> work(100, increment);
  work.push_back(end);
  const std::vector<BlockSteps> blocks{{{work, {end}, {end}, {end}}}};
  model::Device device = round_device();
  device.schedulers = 4;
  const auto cycles = [&](unsigned resident) {
    return simulate(blocks, device, {.blocks = resident, .resident = resident}, four).cycles;
  };
  CHECK(cycles(1) == doctest::Approx(400).epsilon(0.03));
  CHECK(cycles(4) == doctest::Approx(400).epsilon(0.03));
  CHECK(cycles(8) == doctest::Approx(800).epsilon(0.03));
}
