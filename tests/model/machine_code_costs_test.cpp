// SPDX-License-Identifier: MIT
// What the instructions of machine code take, and what is waited for.
#include <doctest/doctest.h>

#include <vector>

#include "code_by_hand.hpp"
#include "model/estimate.hpp"

using namespace by_hand;

TEST_CASE("the code says how many cycles pass between a warp's instructions, at least one") {
  CHECK(Text()
            .add_taking(other, 5)
            .add_taking(load, 2)
            .add_taking(other, 0)
            .add(exit_)
            .code()
            .executed(accesses(1, 0))
            ->cycles == doctest::Approx(5 + 2 + 1 + 1));
}

TEST_CASE("branches, and what is read of special registers and waited for, take what the GPU says") {
  constexpr unsigned special = 0x9c3, meet = 0x941;
  const model::CodeCycles cycles{.branch = 3, .special_register = 30};
  const auto cycles_of = [&](const Text& text) {
    return text.code().executed(accesses(1, 0), cycles)->cycles;
  };
  // three cycles pass until the wait, which takes the rest
  CHECK(cycles_of(Text()
                      .add(load)
                      .add_waiting(special, 1)
                      .add(other, 2)
                      .add_waiting(other, no_barrier, 2)
                      .add(exit_)) == doctest::Approx(6 + 27));
  // nobody waits for it, or for another
  CHECK(cycles_of(Text()
                      .add(load)
                      .add_waiting(special, 1)
                      .add(other, 2)
                      .add_waiting(other, no_barrier, 4)
                      .add(exit_)) == doctest::Approx(6));
  // long enough ago
  CHECK(cycles_of(Text()
                      .add(load)
                      .add_waiting(special, 1)
                      .add(other, 40)
                      .add_waiting(other, no_barrier, 2)
                      .add(exit_)) == doctest::Approx(44));
  // a branch to where lanes meet, and that
  CHECK(cycles_of(Text().add(load).branch(2, false).add(meet).add(exit_)) == doctest::Approx(4 + 2 * 3));
}

TEST_CASE("an access to local memory needs a line, or as many as the warp has lanes") {
  constexpr unsigned local_load = 0x983, local_store = 0x387;
  // a loop with a load of global memory, two stores at a place of the frame and a load at one that differs
  Text text;
  text.add(other)
      .add(load)
      .add_addressed(local_store, 1)
      .add_addressed(local_store, 1)
      .add_addressed(local_load, 5)
      .branch(1, true);
  text.add(exit_);
  CHECK(text.code().uses_local_memory());
  CHECK(text.code().executed(accesses(10, 0))->local_lines == doctest::Approx(10 * (2 + 32)));
  CHECK_FALSE(loop().code().uses_local_memory());
  CHECK(loop().code().executed(accesses(20, 15))->local_lines == 0);
}

TEST_CASE("local memory of which little is known makes an estimate uncertain") {
  using model::Step;
  const Step global{.kind = model::StepKind::global_load, .cost = 1, .sectors = 1, .half_pieces = 1};
  const std::vector<Step> steps{global, {.kind = model::StepKind::warp_ends}};
  const model::Sample sample{1, {.grid = 1, .block = 32, .blocks = {{{steps}}}}};
  model::Device device{};
  device.multiprocessors = device.clock_mhz = device.schedulers = device.blocks = device.wavefront_cycles =
      device.issue_cycles = device.instruction_cycles = device.dram_bytes_per_cycle = 1;
  device.threads = 2048;
  device.shared_bytes = device.registers = 65536;
  device.dram_request_cycles = 2;
  device.slices_of_lines = {{1, 1}};
  const auto local_memory = [&](const Text& text) {
    const model::Launch launch{.grid = 1, .block = 32, .work = 1, .code = text.code()};
    return model::estimate(launch, {sample}, device).local_memory;
  };
  CHECK(local_memory(Text().add(load).add(exit_)) == 0);
  const model::Launch plain{.grid = 1, .block = 32, .work = 1, .code = Text().add(load).add(exit_).code()};
  // one for each lane, at two cycles, of what the launch takes
  CHECK(*local_memory(Text().add(load).add_addressed(0x983, 5).add(exit_)) ==
        doctest::Approx(32 * 2 / (model::estimate(plain, {sample}, device).ms * 1e3)).epsilon(0.05));
  // The code is another kernel's: it has a load in local memory, and none of global memory.
  CHECK_FALSE(local_memory(Text().add_addressed(0x983, 5).add(exit_)));
}

TEST_CASE("additions and votes go through a pipe of their own, multiplications do not") {
  constexpr unsigned add = 0x210, vote = 0x806, minimum = 0x848, multiply = 0x224;
  const auto executed = Text()
                            .add(load)
                            .add(add, 3)
                            .add(vote)
                            .add(minimum)
                            .add(multiply, 2)
                            .add(exit_)
                            .code()
                            .executed(accesses(1, 0));
  CHECK(executed->instructions == doctest::Approx(9));
  CHECK(executed->integer_instructions == doctest::Approx(5));
}

TEST_CASE("what the model does not know of a kernel's code is told: loops that nobody can count") {
  CHECK(loop().unknown().empty());
  CHECK(Text().add(0x3a1).add(exit_).unknown().empty());
  CHECK(Text().add(load).add(other, 3).branch(1, true).add(exit_).unknown().starts_with(
      "The kernel has a loop without an access"));
  CHECK(Text().add(other).add(load).branch(1, true).add(exit_).unknown().empty());
}

TEST_CASE("an estimate issues as many instructions as the machine code has") {
  using model::Step;
  const Step global{.kind = model::StepKind::global_load, .cost = 1, .sectors = 1};
  const Step shared{.kind = model::StepKind::shared_atomic, .cost = 1};
  const Step end{.kind = model::StepKind::warp_ends};
  const auto sample = [&](unsigned work) {
    std::vector<Step> steps;
    for (unsigned i = 0; i < work; ++i) steps.insert(steps.end(), {global, shared});
    steps.push_back(end);
    return model::Sample{static_cast<double>(work), {.grid = 1, .block = 32, .blocks = {{{steps}}}}};
  };
  model::Device device{};
  device.multiprocessors = 1;
  device.clock_mhz = 1000;
  device.schedulers = 1;
  device.threads = 2048;
  device.blocks = 32;
  device.shared_bytes = 100 * 1024;
  device.issue_cycles = device.instruction_cycles = 1;
  device.dram_bytes_per_cycle = 32;
  device.slices_of_lines = {{1, 1}};
  device.turn_cycles = device.private_turn_cycles = 1;
  model::Launch launch{.grid = 1, .block = 32, .work = 100};
  const std::vector<model::Sample> samples{sample(10), sample(20)};
  const model::Estimate by_table = model::estimate(launch, samples, device);
  CHECK_FALSE(by_table.counted_in_code);
  launch.code = loop().code();
  const model::Estimate by_code = model::estimate(launch, samples, device);
  CHECK(by_code.counted_in_code);
  CHECK(by_code.instructions == doctest::Approx(3 + 100 * 10 + 1));
  // code of another kernel says nothing
  launch.code = Text().add(exit_).code();
  CHECK_FALSE(model::estimate(launch, samples, device).counted_in_code);
  CHECK(model::estimate(launch, samples, device).instructions == by_table.instructions);
}

std::vector<unsigned> at_a_time(const Text& text, double loads) {
  std::vector<unsigned> sizes;
  const auto executed = text.code().executed(accesses(loads, 0));
  for (const model::LoadGroup& group : executed->loads_at_a_time) sizes.push_back(group.loads);
  return sizes;
}

TEST_CASE("a load is used by the first instruction that waits for it, in this turn of the loop or the next") {
  const auto accesses_before_use = [](const Text& text) {
    const auto found = text.code().executed(accesses(10, 20));
    REQUIRE(found);
    REQUIRE(found->uses_of_loads.size() == 1);
    CHECK(found->uses_of_loads[0].bytes == 1);
    return found->uses_of_loads[0].accesses;
  };
  // 0: a load, two atomics and an instruction, of which one waits
  const auto turn = [](unsigned first_waits, unsigned last_waits) {
    Text text;
    text.add_waiting(other, no_barrier, first_waits).add_waiting(load, 3).add_waiting(shared_add, no_barrier);
    return text.add_waiting(shared_add, no_barrier, last_waits).branch(0, true).add(exit_);
  };
  CHECK(accesses_before_use(turn(0, 8)) == 1);
  CHECK(accesses_before_use(turn(8, 0)) == model::LoadUse::next_turn);
  CHECK(accesses_before_use(turn(0, 0)) == 0);  // nobody waits for it
  CHECK(accesses_before_use(turn(0, 4)) == 0);  // nor for another
  // Three loads, then an atomic that waits for the first, or a turn that begins with one that does.
  const auto loads_before_use = [&](unsigned first_waits, unsigned last_waits) {
    Text text;
    text.add_waiting(other, no_barrier, first_waits);
    for (int i = 0; i < 3; ++i) text.add_waiting(load, 3);
    text.add_waiting(shared_add, no_barrier)
        .add_waiting(other, no_barrier, last_waits)
        .branch(0, true)
        .add(exit_);
    return text.code().executed(accesses(30, 10))->uses_of_loads.at(0).loads;
  };
  CHECK(loads_before_use(0, 8) == 2);
  CHECK(loads_before_use(8, 0) == 2);
}

TEST_CASE("reads of special registers are counted as often as they are executed") {
  constexpr unsigned s2r = 0x919, s2ur = 0x9c3;
  Text text;
  text.add(s2r).add(load).add(s2ur).branch(1, true).add(exit_);
  const auto found = text.code().executed(accesses(5, 0));
  REQUIRE(found);
  CHECK(found->special_reads == doctest::Approx(1 + 5));
}

TEST_CASE("of loads of shared memory those with the fewest accesses until their use count") {
  constexpr unsigned shared_load = 0x984;
  // A load that is used at once; then, in a loop, two loads, an atomic and a use of both.
  const auto accesses_behind = [](double turns) {
    Text text;
    text.add_waiting(shared_load, 2).add_waiting(other, no_barrier, 4);
    text.add_waiting(shared_load, 2).add_waiting(shared_load, 3).add(shared_add);
    text.add_waiting(other, no_barrier, 12).branch(2, true).add(exit_);
    model::Accesses made = accesses(0, turns);
    made[static_cast<std::size_t>(model::AccessKind::shared_load)] = 1 + 2 * turns;
    return text.code().executed(made)->accesses_behind_shared_load;
  };
  CHECK(accesses_behind(2) == 0);
  CHECK(accesses_behind(20) == 1.5);  // of 41 loads the one in front does not count
}

TEST_CASE("of a block's loads each has its own use") {
  // A load, an atomic, a load, two atomics: the first is waited for by the second atomic, the other by the
  // third.
  Text text;
  text.add_waiting(load, 2).add_waiting(shared_add, no_barrier).add_waiting(load, 3);
  text.add_waiting(shared_add, no_barrier, 4).add_waiting(shared_add, no_barrier, 8).add(exit_);
  const auto found = text.code().executed(accesses(2, 3));
  REQUIRE(found);
  REQUIRE(found->uses_of_loads.size() == 2);
  CHECK(found->uses_of_loads[0].accesses == 1);
  CHECK(found->uses_of_loads[0].loads == 1);
  CHECK(found->uses_of_loads[1].accesses == 1);
  CHECK(found->uses_of_loads[1].loads == 0);
}

TEST_CASE("loads are under way together until an instruction waits for one of them") {
  Text one_by_one, together, another_barrier;
  for (int i = 0; i < 3; ++i) one_by_one.add_waiting(load, 2).add_waiting(other, no_barrier, 1u << 2);
  for (int i = 0; i < 3; ++i) together.add_waiting(load, 2);
  together.add_waiting(other, no_barrier, 1u << 2);
  for (int i = 0; i < 3; ++i) another_barrier.add_waiting(load, 2).add_waiting(other, no_barrier, 1u << 3);
  using Numbers = std::vector<unsigned>;
  CHECK(at_a_time(one_by_one.add(exit_), 3) == Numbers{1});
  CHECK(at_a_time(together.add(exit_), 3) == Numbers{3});
  CHECK(at_a_time(another_barrier.add(exit_), 3) == Numbers{3});
}

TEST_CASE("what a warp executes less than once says nothing of loads under way") {
  // Four loads in a loop that a branch leads past, then one by one. Only loads of the second loop were seen.
  const auto text = [] {
    Text loops;
    loops.branch(6, true);
    for (int i = 0; i < 4; ++i) loops.add_waiting(load, 0);
    return loops.branch(1, true)
        .add_waiting(load, 1)
        .add_waiting(other, no_barrier, 1u << 1)
        .branch(6, true)
        .add(exit_);
  }();
  CHECK(at_a_time(text, 2) == std::vector<unsigned>{1});
  CHECK(at_a_time(text, 400) == std::vector<unsigned>{1, 4});
}

TEST_CASE("shuffles count, and so does how many of them are under way at a time") {
  Text text;
  text.add_waiting(shuffle, 0)
      .add_waiting(shuffle, 1)
      .add_waiting(other, no_barrier, 1)
      .branch(0, true)
      .add(exit_);
  const auto executed = text.code().executed(accesses(0, 0, 0, 20)).value();
  CHECK(executed.instructions == doctest::Approx(10 * 4 + 1));
  CHECK(executed.exchanges_at_a_time == doctest::Approx(2));
}
