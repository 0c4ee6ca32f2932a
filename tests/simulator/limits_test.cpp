// SPDX-License-Identifier: MIT
// What a thread may ask of the device, and how a kernel that asks for more, or traps, ends.
#include <doctest/doctest.h>
#include <sys/time.h>

#include <chrono>
#include <string>

#include "kernels.hpp"
#include "launching.hpp"

using simulator::Hazard;
using simulator::LaunchConfiguration;
using simulator::LaunchResult;

namespace {

// The launch's one hazard, which lies in `kernel`.
void check_ended(const LaunchResult& result, facts::Verdict kind, const std::string& what, unsigned thread) {
  REQUIRE(result.hazards.size() == 1);
  const Hazard& hazard = result.hazards[0];
  CHECK(hazard.kind == kind);
  CHECK(hazard.what == what);
  CHECK(hazard.threads.at(0).thread == uint3{thread, 0, 0});
  CHECK(hazard.sites.size() == 1);
}

const std::string too_deep =
    " overflows the stack: it needs more than 512 KiB per thread for calls and local arrays";

}  // namespace

TEST_CASE("local arrays of tens and hundreds of KiB work in a whole block") {
  for (const unsigned kib : {64u, 448u}) {
    CAPTURE(kib);
    const DeviceArray<unsigned> out(1024);
    CHECK(launch({1, 1024}, [&] { local_array(kib, out.data()); }).hazards.empty());
    CHECK(out.values() == filled(1024, [&](unsigned i) { return i % 256 * (kib / 4); }));
  }
}

TEST_CASE("an array that does not fit is reported with its place, with checks and without") {
  for (const bool checks : {true, false}) {
    CAPTURE(checks);
    const DeviceArray<unsigned> out(64);
    const LaunchResult result = launch({.grid = 1, .block = 64, .checks = checks, .counters = checks},
                                       [&] { local_array(8192, out.data()); });
    check_ended(result, facts::Verdict::limit, "sum_of_local_array" + too_deep, 0);
    CHECK(out.values() == std::vector<unsigned>(64));
  }
}

TEST_CASE("recursion works to a depth of thousands, and without an end is reported") {
  for (const bool checks : {true, false}) {
    CAPTURE(checks);
    const DeviceArray<unsigned> out(40);
    const auto recurse = [&](unsigned depth) {
      return launch({.grid = 1, .block = 40, .checks = checks, .counters = checks},
                    [&] { recursion(depth, out.data()); });
    };
    CHECK(recurse(2000).hazards.empty());
    CHECK(out.values() == std::vector<unsigned>(40, 2001000));
    check_ended(recurse(~0u), facts::Verdict::limit, "sum_down_from" + too_deep, 0);
    // and the device is whole
    CHECK(recurse(3).hazards.empty());
    CHECK(out.values() == std::vector<unsigned>(40, 6));
  }
}

TEST_CASE("dividing by zero ends the launch, by the first who does it") {
  const DeviceArray<int> out(96);
  check_ended(launch({3, 32}, [&] { divide(33, 0, out.data()); }), facts::Verdict::crash,
              "divide divided an integer by zero, or the smallest one by -1", 1);
  out[33] = 33;  // the compiler may have left the first of two stores out
  CHECK(out.values() == filled(96, [](unsigned i) {
          return i < 32 ? static_cast<int>(i) + 1 : i < 64 ? static_cast<int>(i) : 0;
        }));
  CHECK(launch({3, 32}, [&] { divide(33, 7, out.data()); }).hazards.empty());
  CHECK(out[33] == 2);
}

TEST_CASE("a kernel that still runs when its time is over is ended where it is, with checks and without") {
  for (const Endless kind : {Endless::empty, Endless::storing, Endless::counting}) {
    for (const bool checks : {true, false}) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(checks);
      const DeviceArray<unsigned> out(96);
      LaunchConfiguration configuration{.grid = 3, .block = 32, .checks = checks, .counters = checks};
      // The time is over first, however fast the machine is.
      configuration.patience = std::int64_t{1} << 40;
      configuration.time_limit = std::chrono::milliseconds(50);
      const LaunchResult result = launch(configuration, [&] { run_for_ever(kind, 40, out.data()); });
      REQUIRE(result.hazards.size() == 1);
      const Hazard& hazard = result.hazards[0];
      CHECK(hazard.kind == facts::Verdict::timeout);
      CHECK(hazard.what == "run_for_ever still runs after 0.05 s");
      // any of those that do: they take turns
      CHECK(hazard.threads.at(0).block == uint3{1, 0, 0});
      CHECK(hazard.threads.at(0).thread.x >= 8);
      REQUIRE(hazard.sites.size() == 1);
      CHECK(lies_in(hazard.sites[0], &run_for_ever));
      CHECK(out.values()[31] == 1);
      CHECK(out.values()[64] == 0);  // a block that was not begun
      // and the device is whole
      CHECK(launch({.grid = 3, .block = 32}, [&] { run_for_ever(kind, 96, out.data()); }).hazards.empty());
      CHECK(out.values()[64] == 1);
    }
  }
}

TEST_CASE("a launch of blocks that come and go is ended as a whole: no thread of it is named") {
  LaunchConfiguration configuration{.grid = 2147483647, .block = 8};
  configuration.time_limit = std::chrono::milliseconds(50);
  const LaunchResult result = launch(configuration, [] {});
  REQUIRE(result.hazards.size() == 1);
  const Hazard& hazard = result.hazards[0];
  CHECK(hazard.kind == facts::Verdict::timeout);
  CHECK(hazard.what == "the launch still runs after 0.05 s: it has 2,147,483,647 blocks of 8 threads");
  CHECK(hazard.threads.empty());
  CHECK(hazard.sites.empty());
  CHECK(observation_of(hazard, true).message == hazard.what);
}

TEST_CASE("threads that repeat themselves end the launch as a timeout at their place") {
  struct Row {
    Rounds kind;
    std::string what;
    std::size_t sites;
  };
  const DeviceArray<unsigned> words(64);
  for (const Row& row : {Row{Rounds::same_word, "reading memory[0]", 1},
                         Row{Rounds::beside_barrier,
                             "accessing memory[0] atomically; 63 other threads wait for it at a barrier", 2},
                         Row{Rounds::around_barrier, "reading memory[0]", 1}}) {
    CAPTURE(row.what);
    const DeviceArray<unsigned> out(64);
    const LaunchResult result = launch({.grid = 2, .block = 64, .patience = 1 << 14},
                                       [&] { go_round(row.kind, 0, words.data(), out.data()); });
    REQUIRE(result.hazards.size() == 1);
    CHECK(result.hazards[0].kind == facts::Verdict::timeout);
    CHECK(result.hazards[0].what ==
          "go_round never ends: a thread repeats the same steps again and again, " + row.what);
    CHECK(result.hazards[0].threads.at(0).block == uint3{0, 0, 0});
    CHECK(result.hazards[0].threads.at(0).thread == uint3{0, 0, 0});
    CHECK(result.hazards[0].sites.size() == row.sites);
    for (const std::uintptr_t site : result.hazards[0].sites) CHECK(lies_in(site, &go_round));
  }
}

TEST_CASE("a loop without a basic block ends without a time limit, by the processor's time") {
  const DeviceArray<unsigned> out(96);
  const LaunchResult result = launch({3, 32}, [&] { run_for_ever(Endless::empty, 40, out.data()); });
  REQUIRE(result.hazards.size() == 1);
  CHECK(result.hazards[0].kind == facts::Verdict::timeout);
  CHECK(result.hazards[0].what ==
        "run_for_ever never ends: a thread repeats the same steps again and again, without an access to "
        "memory");
  CHECK(lies_in(result.hazards[0].sites.at(0), &run_for_ever));
}

TEST_CASE(
    "a thread that reads on and on is slow and passes, and so does one that repeats itself for a while") {
  constexpr unsigned many = 1 << 16;
  const DeviceArray<unsigned> words(many), out(64);
  CHECK(launch({.grid = 1, .block = 64, .patience = 1 << 14}, [&] {
          go_round(Rounds::next_word, many, words.data(), out.data());
        }).hazards.empty());
  for (const Rounds kind : {Rounds::same_word, Rounds::beside_barrier}) {
    CAPTURE(static_cast<int>(kind));
    CHECK(launch({.grid = 1, .block = 64, .patience = 1 << 14}, [&] {
            go_round(kind, 30, words.data(), out.data());
          }).hazards.empty());
  }
}

TEST_CASE("a kernel that ends in time is left alone by the clock, and so is what comes after it") {
  const DeviceArray<unsigned> out(96);
  LaunchConfiguration configuration{.grid = 3, .block = 32};
  configuration.time_limit = std::chrono::minutes(1);
  CHECK(launch(configuration, [&] { run_for_ever(Endless::empty, 96, out.data()); }).hazards.empty());
  itimerval left;
  getitimer(ITIMER_PROF, &left);
  CHECK(left.it_value.tv_sec == 0);
  CHECK(left.it_value.tv_usec == 0);
}

TEST_CASE("a trap ends the launch") {
  for (const bool by_compiler : {false, true}) {
    CAPTURE(by_compiler);
    const DeviceArray<unsigned> out(96);
    check_ended(launch({3, 32}, [&] { trap_at(40, by_compiler, out.data()); }), facts::Verdict::crash,
                "trap_at executed a trap", 8);
    CHECK(out.values() == filled(96, [](unsigned i) { return i < 64 ? 1u : 0u; }));
    CHECK(launch({3, 32}, [&] { trap_at(96, by_compiler, out.data()); }).hazards.empty());
  }
}

TEST_CASE("an assertion that fails ends the launch, in its own words") {
  const DeviceArray<unsigned> out(96);
  check_ended(launch({3, 32}, [&] { assert_below(63, out.data()); }), facts::Verdict::crash,
              "assert_below failed an assertion: rank() < limit", 31);
  CHECK(out.values() == filled(96, [](unsigned i) { return i < 63 ? 2u : i < 64 ? 1u : 0u; }));
  CHECK(launch({3, 32}, [&] { assert_below(96, out.data()); }).hazards.empty());
}

TEST_CASE("memory that a kernel allocates is refused, however it asks") {
  for (const Allocation kind : {Allocation::by_malloc, Allocation::by_calloc, Allocation::by_realloc,
                                Allocation::by_new, Allocation::by_new_array}) {
    CAPTURE(static_cast<int>(kind));
    const DeviceArray<unsigned*> out(1);
    check_ended(launch({1, 1}, [&] { allocate(kind, out.data()); }), facts::Verdict::limit,
                "allocate allocates memory, which is not simulated: it needs a GPU", 0);
    CHECK(out[0] == nullptr);
  }
}
