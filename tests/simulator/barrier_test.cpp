// SPDX-License-Identifier: MIT
// Barriers of a block, and what happens where threads wait for others that never come.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels.hpp"
#include "launching.hpp"

using simulator::Hazard;
using simulator::LaunchResult;

namespace {

// The one hazard of the launch.
Hazard only_hazard(const LaunchResult& result) {
  REQUIRE(result.hazards.size() == 1);
  return result.hazards[0];
}

}  // namespace

TEST_CASE("what was written before a barrier is seen after it, across warps") {
  for (const unsigned threads : {2u, 32u, 100u, 1024u}) {
    for (const unsigned distance : {1u, 31u, 65u}) {
      CAPTURE(threads);
      CAPTURE(distance);
      const DeviceArray<unsigned> out(2 * threads);
      const LaunchResult result = launch({2, threads}, [&] { rotate(distance, out.data()); });
      CHECK(result.hazards.empty());
      CHECK(out.values() ==
            filled(2 * threads, [&](unsigned i) { return (i % threads + 3 * distance) % threads; }));
    }
  }
}

TEST_CASE("a barrier holds in a block of three dimensions") {
  const DeviceArray<unsigned> out(60);
  CHECK(launch({1, {5, 4, 3}}, [&] { rotate(17, out.data()); }).hazards.empty());
  CHECK(out.values() == filled(60, [](unsigned i) { return (i + 51) % 60; }));
}

TEST_CASE("a barrier counts and combines the predicates of all threads of the block") {
  struct Case {
    unsigned below;
    std::vector<int> expected;  // count, and, or
  };
  for (const Case& one :
       {Case{70, {70, 1, 1}}, Case{69, {69, 0, 1}}, Case{1, {1, 0, 1}}, Case{0, {0, 0, 0}}}) {
    CAPTURE(one.below);
    const DeviceArray<int> out(3 * 140, -1);
    CHECK(launch({2, 70}, [&] { barrier_reductions(one.below, out.data()); }).hazards.empty());
    CHECK(out.values() == filled(3 * 140, [&](unsigned i) { return one.expected[i % 3]; }));
  }
}

TEST_CASE(
    "threads that wait in calls of different depths go on there, block after block on the same stacks") {
  const DeviceArray<int> out(2 * 300, -1);
  CHECK(launch({3, 100}, [&] { barriers_in_calls(out.data()); }).hazards.empty());
  CHECK(out.values() == filled(2 * 300, [](unsigned i) { return i % 2 == 0 ? 50 : 34; }));
}

TEST_CASE("each lane is counted once, whichever of a warp's end their turns as the one before") {
  constexpr unsigned blocks = 2, threads = 3 * 32 + 7;
  const auto lanes_of = [](unsigned mask) {
    unsigned lanes = 0;
    for (unsigned t = 0; t < threads; ++t) lanes += mask >> t % 32 & 1;
    return blocks * lanes;
  };
  struct Launched {
    std::uint64_t steps;
    std::vector<long long> clocks;
  };
  const auto run = [&](unsigned early, unsigned late) {
    const DeviceArray<unsigned> out(blocks * threads);
    const DeviceArray<long long> clocks(blocks * threads);
    const LaunchResult result =
        launch({blocks, threads}, [&] { part_around_barriers(early, late, out.data(), clocks.data()); });
    CHECK(result.hazards.empty());
    CHECK(result.counters.value("barriers") == blocks * 4 * 2);
    CHECK(out.values() == filled(blocks * threads, [&](unsigned i) {
            const unsigned lane = i % threads % 32;
            return (early >> lane & 1) + 2 * (late >> lane & 1);
          }));
    return Launched{result.counters.value("thread_steps"), clocks.values()};
  };
  const Launched none = run(0, 0), all_early = run(~0u, 0), all_late = run(0, ~0u);
  const std::uint64_t early_steps = (all_early.steps - none.steps) / lanes_of(~0u),
                      late_steps = (all_late.steps - none.steps) / lanes_of(~0u);
  CHECK(early_steps > 0);
  CHECK(late_steps > 0);
  const std::vector<unsigned> masks{0u,         ~0u,        1u,         1u << 31,  0x80000001,
                                    0x55555555, 0xffff0000, 0x00ff00fe, 0x7ffffffe};
  for (const unsigned early : masks) {
    for (const unsigned late : masks) {
      CAPTURE(early);
      CAPTURE(late);
      const Launched parted = run(early, late);
      CHECK(parted.steps == none.steps + early_steps * lanes_of(early) + late_steps * lanes_of(late));
      CHECK(parted.clocks == filled(blocks * threads, [&](unsigned i) {
              return (early >> i % threads % 32 & 1 ? all_early : none).clocks[i];
            }));
    }
  }
}

TEST_CASE("threads of a block that wait at different barriers are one divergent barrier, and go on") {
  const DeviceArray<unsigned> out(3 * 64);
  const LaunchResult result = launch({3, {16, 4}}, [&] { barrier_in_branches(40, 1, out.data()); });
  const Hazard hazard = only_hazard(result);
  CHECK(hazard.kind == facts::Verdict::divergent_barrier);
  CHECK(hazard.what == "threads of one block wait at different barriers");
  CHECK((hazard.threads.front().thread == uint3{0, 0, 0}));
  CHECK((hazard.threads.front().block == uint3{1, 0, 0}));
  CHECK(hazard.occurrences == 1);
  REQUIRE(hazard.sites.size() == 2);
  CHECK(hazard.sites[0] != hazard.sites[1]);
  for (const std::uintptr_t site : hazard.sites) CHECK(lies_in(site, &barrier_in_branches));
  CHECK(out.values() == filled(192, [](unsigned i) { return i >= 64 + 40 && i < 128 ? 2u : 1u; }));
}

TEST_CASE("a whole block at the other barrier is no divergence") {
  const DeviceArray<unsigned> out(3 * 64);
  CHECK(launch({3, 64}, [&] { barrier_in_branches(0, 1, out.data()); }).hazards.empty());
  CHECK(out.values() == filled(192, [](unsigned i) { return i / 64 == 1 ? 2u : 1u; }));
}

TEST_CASE("a barrier after some threads returned is one divergent barrier, named by the first that waits") {
  const DeviceArray<unsigned> out(2 * 64);
  const LaunchResult result = launch({2, {16, 4}}, [&] { barrier_after_return(37, out.data()); });
  const Hazard hazard = only_hazard(result);
  CHECK(hazard.kind == facts::Verdict::divergent_barrier);
  CHECK(hazard.what == "37 of 64 threads had already ended when the others waited at the barrier");
  CHECK((hazard.threads.front().thread == uint3{5, 2, 0}));
  CHECK((hazard.threads.front().block == uint3{0, 0, 0}));
  CHECK(hazard.sites.size() == 1);
  CHECK(hazard.occurrences == 4);  // twice in each of two blocks
  CHECK(out.values() == filled(128, [](unsigned i) { return i % 64 < 37 ? 0u : 2u; }));
  CHECK(result.counters.value("barriers") == 4);  // only the second warp still takes part
}

TEST_CASE("a block whose threads all returned before the barrier is no divergence") {
  const DeviceArray<unsigned> out(64);
  CHECK(launch({1, 64}, [&] { barrier_after_return(64, out.data()); }).hazards.empty());
  CHECK(launch({1, 64}, [&] { barrier_after_return(0, out.data()); }).hazards.empty());
}

TEST_CASE("a warp operation that waits for a lane at the barrier ends the launch with a report") {
  const DeviceArray<unsigned> out(2 * 64);
  const Hazard hazard = only_hazard(launch({2, 64}, [&] { warp_waits_for_barrier(out.data()); }));
  CHECK(hazard.kind == facts::Verdict::divergent_barrier);
  CHECK(hazard.what ==
        "a warp operation with mask 0xffffffff waits for lane 0, which waits at a barrier of the "
        "block");
  CHECK((hazard.threads.front().thread == uint3{1, 0, 0}));
  CHECK((hazard.threads.front().block == uint3{0, 0, 0}));
  CHECK(hazard.sites.size() == 1);
  CHECK(hazard.occurrences == 1);
  // The second warp had no such trouble; nothing of the second block ran.
  CHECK(out.values() == filled(128, [](unsigned i) { return i >= 32 && i < 64 ? 1u : 0u; }));
}

TEST_CASE("lanes that wait for each other in different warp operations end the launch with a report") {
  const DeviceArray<unsigned> out(32, 9);
  const std::string expected =
      "a warp operation with mask 0xffffffff waits for lanes that wait in another operation or with another "
      "mask";
  Hazard hazard;
  SUBCASE("a vote and a shuffle") {
    hazard = only_hazard(launch({1, 32}, [&] { different_operations(out.data()); }));
  }
  SUBCASE("two masks") {
    hazard = only_hazard(launch({1, 32}, [&] { different_masks(out.data()); }));
  }
  CHECK(hazard.kind == facts::Verdict::divergent_barrier);
  CHECK(hazard.what == expected);
  CHECK((hazard.threads.front().thread == uint3{0, 0, 0}));
  CHECK(out.values() == std::vector<unsigned>(32, 9));
}

TEST_CASE("a launch after a deadlock works as if nothing had been") {
  const DeviceArray<unsigned> out(64), rotated(64);
  REQUIRE(launch({1, 64}, [&] { warp_waits_for_barrier(out.data()); }).hazards.size() == 1);
  const LaunchResult result = launch({1, 64}, [&] { rotate(1, rotated.data()); });
  CHECK(result.hazards.empty());
  CHECK(result.counters.value("threads") == 64);
  CHECK(rotated.values() == filled(64, [](unsigned i) { return (i + 3) % 64; }));
}

TEST_CASE("a thread that waits for another one by looking at memory gives way in the end") {
  for (const unsigned setter : {31u, 64u, 0u}) {  // in the first warp, in a later one, first of all
    CAPTURE(setter);
    const DeviceArray<unsigned> flag(1), out(65);
    CHECK(launch({1, 65, 0, unchecked}, [&] {
            spin_until_set(flag.data(), setter, out.data());
          }).hazards.empty());
    CHECK(out.values() == std::vector<unsigned>(65, 5));
  }
}

TEST_CASE("a thread that waits for a word runs again when the word has changed") {
  for (const int how : {0, 1, 2}) {
    CAPTURE(how);
    const DeviceArray<unsigned> words(3), out(64);
    const LaunchResult result =
        launch({1, 64, 0, unchecked}, [&] { go_in_turns(how, 1000, words.data(), out.data()); });
    CHECK(result.hazards.empty());
    CHECK(out.values() == std::vector<unsigned>(64, 1000));
    // Some looks each round, by lanes of a warp together.
    CHECK(result.counters.value("warp_steps") < 2 * 1000 * 128);
  }
}

TEST_CASE("threads that wait for a lock leave their time to the one that holds it") {
  const DeviceArray<unsigned> in(64), lock(1), out(2);
  const LaunchResult result =
      launch({1, 512, 0, unchecked}, [&] { wait_for_lock(in.data(), 100'000, lock.data(), out.data()); });
  CHECK(result.hazards.empty());
  CHECK(out[1] == 480);
  CHECK(result.counters.value("thread_steps") < 2'000'000);
}

TEST_CASE("a thread that counts its looks is run again, whether others change memory or not") {
  const DeviceArray<unsigned> flag(2), stop(1), out(2);
  CHECK(launch({1, 64, 0, unchecked}, [&] {
          look_so_often(flag.data(), stop.data(), 500, out.data());
        }).hazards.empty());
  CHECK(out[0] == 500);
  CHECK(out[1] == 1);
}

TEST_CASE("a lane that asks for the active mask is not held up by one that spins") {
  const DeviceArray<unsigned> flag(1), out(2);
  CHECK(launch({1, 2, 0, unchecked}, [&] {
          spin_beside_active_mask(flag.data(), out.data());
        }).hazards.empty());
  CHECK(out[0] == 5);
  CHECK(out[1] == 2);
}
