// SPDX-License-Identifier: MIT
// Machine code that is put together by hand: instructions of 16 bytes, of which only the operation, the
// predicate and where a branch leads matter.
#include "model/machine_code.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <stdexcept>

#include "model/estimate.hpp"
#include "model/unknown_cost.hpp"

namespace {

constexpr unsigned other = 0x210, load = 0x981, shuffle = 0x589, shared_add = 0x38c, global_add = 0x98e,
                   barrier = 0xb1d, bra = 0x947, exit_ = 0x94d, brx = 0x949, bsync = 0x941;

class Text {
 public:
  // How a branch says where it leads: since sm_90 the lowest eight bits stand apart.
  explicit Text(bool apart = false) : apart_(apart) {}

  Text& add(unsigned operation, unsigned times = 1) {
    for (unsigned i = 0; i < times; ++i) put(operation | always << 12, always << 23);
    return *this;
  }
  // Under a predicate that some warps do not fulfil with any lane.
  Text& add_predicated(unsigned operation) {
    put(operation, always << 23);
    return *this;
  }
  // Of 1, 2, 4, 8 or 16 bytes per lane.
  Text& add_of_bytes(unsigned operation, unsigned bytes) {
    const std::uint64_t width = bytes == 1 ? 0 : bytes == 2 ? 2 : bytes == 4 ? 4 : bytes == 8 ? 5 : 6;
    put(operation | always << 12, always << 23 | width << 9);
    return *this;
  }
  // In local memory, at the address that this register has; 1 is where the frame begins.
  Text& add_addressed(unsigned operation, unsigned address_register) {
    put(operation | always << 12 | std::uint64_t{address_register} << 24, always << 23);
    return *this;
  }
  // Its result is announced on this barrier; before it, it waits for these, a bit each.
  Text& add_waiting(unsigned operation, unsigned barrier, unsigned waits_for = 0) {
    put(operation | always << 12, std::uint64_t{barrier} << 46 | std::uint64_t{waits_for} << 52);
    return *this;
  }
  // The warp's next instruction comes so many cycles later.
  Text& add_taking(unsigned operation, unsigned cycles) {
    put(operation | always << 12, always << 23 | std::uint64_t{cycles} << 41);
    return *this;
  }
  Text& branch_of_parted_lanes(std::size_t to) {
    branch(to, false);
    bytes_[bytes_.size() - 5] |= 8;  // bit 27 of the upper half
    return *this;
  }
  Text& branch(std::size_t to, bool conditional) {
    const std::int64_t away = 4 * (static_cast<std::int64_t>(to) - static_cast<std::int64_t>(size()) - 1);
    const std::int64_t field = apart_ ? away >> 8 : away, low = apart_ ? away & 255 : 0;
    const std::uint64_t predicate = conditional ? 0 : always;
    put(bra | predicate << 12 | static_cast<std::uint64_t>(low) << 16 |
            static_cast<std::uint64_t>(field) << 34,
        always << 23 | (static_cast<std::uint64_t>(field) >> 30 & 0x3ffff));
    return *this;
  }
  // BSSY: the lanes that part behind it meet in front of `to`.
  Text& meet_before(std::size_t to) {
    constexpr std::uint64_t bssy = 0x945;
    put(bssy | std::uint64_t{4} * (to - size() - 1) << 34, always << 23);
    return *this;
  }
  // As nvcc has written it for sm_90: both halves.
  Text& add_words(std::uint64_t low, std::uint64_t high) {
    put(low, high);
    return *this;
  }
  std::size_t size() const { return bytes_.size() / 16; }
  model::MachineCode code() const { return model::MachineCode(bytes_); }
  std::string unknown() const { return model::unknown_cost(bytes_); }

 private:
  static constexpr std::uint64_t always = 7;

  void put(std::uint64_t low, std::uint64_t high) {
    for (const std::uint64_t word : {low, high}) {
      for (unsigned i = 0; i < 8; ++i) bytes_.push_back(static_cast<unsigned char>(word >> (8 * i)));
    }
  }

  bool apart_;
  std::vector<unsigned char> bytes_;
};

constexpr unsigned no_barrier = 7;

model::Accesses accesses(double loads, double shared_adds, double global_adds = 0, double shuffles = 0) {
  model::Accesses all{};
  all[static_cast<std::size_t>(model::AccessKind::global_load)] = loads;
  all[static_cast<std::size_t>(model::AccessKind::shared_atomic)] = shared_adds;
  all[static_cast<std::size_t>(model::AccessKind::global_atomic)] = global_adds;
  all[static_cast<std::size_t>(model::AccessKind::shuffle)] = shuffles;
  return all;
}

// 3 instructions, then a loop of 10 with a load and an atomic behind a branch that some turns take, then the
// end.
Text loop(bool apart = false) {
  Text text(apart);
  text.add(other, 3);
  text.add(load).add(other, 4).branch(11, true);  // 3 to 8
  text.add(other).add(shared_add);                // 9, 10
  text.add(other).branch(3, true);                // 11, 12
  return text.add(exit_).branch(14, false);       // and a branch to itself, as filling
}

}  // namespace

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

TEST_CASE("accesses that do not stand in the code do not fit it") {
  CHECK_FALSE(loop().code().executed(accesses(20, 15, 1)));
  CHECK_FALSE(Text().add(exit_).code().executed(accesses(1, 0)));
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
  constexpr unsigned add = 0x210, vote = 0x806, multiply = 0x224;
  const auto executed =
      Text().add(load).add(add, 3).add(vote).add(multiply, 2).add(exit_).code().executed(accesses(1, 0));
  CHECK(executed->instructions == doctest::Approx(8));
  CHECK(executed->integer_instructions == doctest::Approx(4));
}

TEST_CASE("what the model does not know of a kernel's code is told: loops that nobody can count") {
  CHECK(loop().unknown().empty());
  CHECK(Text().add(0x3a1).add(exit_).unknown().empty());
  CHECK(Text().add(load).add(other, 3).branch(1, true).add(exit_).unknown().starts_with(
      "The kernel has a loop without an access"));
  CHECK(Text().add(other).add(load).branch(1, true).add(exit_).unknown().empty());
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
  const auto parted = switch_in_loop().executed(accesses(10, 0), {}, true);
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
  const auto found = text.code().executed(accesses(1, 0), {}, true);
  REQUIRE(found);
  CHECK(found->instructions == doctest::Approx(12));
}

TEST_CASE("a warp whose lanes stay together goes one way of a switch") {
  const auto together = switch_in_loop().executed(accesses(10, 0), {}, false);
  REQUIRE(together);
  CHECK(together->jump_ways == doctest::Approx(together->jumps));
  CHECK(together->partings == doctest::Approx(0));
  CHECK(together->instructions < 1 + 10 * (3 + 2 + 2 + 1 + 2) + 1);
}
