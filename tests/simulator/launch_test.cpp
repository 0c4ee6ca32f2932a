// SPDX-License-Identifier: MIT
#include "simulator/launch.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <string>

#include "kernels.hpp"
#include "launching.hpp"
#include "simulator/observer.hpp"

using simulator::LaunchConfiguration;
using simulator::LaunchResult;

TEST_CASE("every thread of a grid in three dimensions runs once and knows its place") {
  const dim3 grid{3, 2, 2}, block{5, 4, 3};
  const DeviceArray<Place> places(12 * 60);
  const LaunchResult result = launch({grid, block}, [&] { record_place(places.data()); });
  CHECK_FALSE(result.refused.has_value());
  CHECK(result.hazards.empty());
  unsigned i = 0;
  for (unsigned bz = 0; bz < 2; ++bz) {
    for (unsigned by = 0; by < 2; ++by) {
      for (unsigned bx = 0; bx < 3; ++bx) {
        for (unsigned t = 0; t < 60; ++t, ++i) {
          CAPTURE(i);
          CHECK(places[i].visits == 1);
          CHECK((places[i].thread == uint3{t % 5, t / 5 % 4, t / 20}));
          CHECK((places[i].block == uint3{bx, by, bz}));
          CHECK((places[i].block_extent == uint3{5, 4, 3}));
          CHECK((places[i].grid_extent == uint3{3, 2, 2}));
        }
      }
    }
  }
}

TEST_CASE("an extent that is not given is 1") {
  const DeviceArray<Place> places(6);
  launch({2, 3}, [&] { record_place(places.data()); });
  CHECK((places[5].block_extent == uint3{3, 1, 1}));
  CHECK((places[5].grid_extent == uint3{2, 1, 1}));
  CHECK((places[5].thread == uint3{2, 0, 0}));
  CHECK((places[5].block == uint3{1, 0, 0}));
}

TEST_CASE("a block may have any number of threads up to 1024") {
  for (const unsigned threads : {1u, 31u, 32u, 33u, 1000u, 1023u, 1024u}) {
    CAPTURE(threads);
    const DeviceArray<unsigned> marks(2 * threads);
    CHECK_FALSE(launch({2, threads}, [&] { mark(marks.data()); }).refused.has_value());
    CHECK(marks.values() == std::vector<unsigned>(2 * threads, 1));
  }
}

TEST_CASE("a thread may return early; the others go on") {
  const DeviceArray<unsigned> marks(100);
  const LaunchResult result = launch({1, {10, 10}}, [&] { mark_unless_below(37, marks.data()); });
  CHECK(result.hazards.empty());
  CHECK(marks.values() == filled(100, [](unsigned i) { return i < 37 ? 0u : 1u; }));
}

TEST_CASE("a launch that CUDA refuses is refused in CUDA's words, and nothing runs") {
  const DeviceArray<unsigned> marks(4096);
  const auto refused = [&](const LaunchConfiguration& configuration) {
    const LaunchResult result = launch(configuration, [&] { mark(marks.data()); });
    CHECK(marks.values() == std::vector<unsigned>(4096));
    CHECK(result.hazards.empty());
    CHECK(result.counters.value("threads") == 0);
    return result.refused.value_or("");
  };
  const std::string configuration = "cudaErrorInvalidConfiguration: invalid configuration argument";
  SUBCASE("no thread") {
    CHECK(refused({1, 0}) == configuration);
    CHECK(refused({1, {8, 0}}) == configuration);
    CHECK(refused({1, {8, 8, 0}}) == configuration);
  }
  SUBCASE("more than 1024 threads") {
    CHECK(refused({1, 1025}) == configuration);
    CHECK(refused({1, {32, 33}}) == configuration);
    CHECK(refused({1, {1, 1025}}) == configuration);
    CHECK(refused({1, {65536, 65536, 65536}}) == configuration);
  }
  SUBCASE("more than 64 layers") { CHECK(refused({1, {1, 1, 65}}) == configuration); }
  SUBCASE("no block") {
    CHECK(refused({0, 32}) == configuration);
    CHECK(refused({{1, 0}, 32}) == configuration);
    CHECK(refused({{1, 1, 0}, 32}) == configuration);
  }
  SUBCASE("too many blocks") {
    CHECK(refused({0x80000000u, 32}) == configuration);
    CHECK(refused({{1, 65536}, 32}) == configuration);
    CHECK(refused({{1, 1, 65536}, 32}) == configuration);
  }
  SUBCASE("more dynamic shared memory than a block may have") {
    CHECK(refused({1, 32, 227 * 1024 + 1}) == "cudaErrorInvalidValue: invalid argument");
  }
}

TEST_CASE("the largest dynamic shared memory, and 64 layers, are accepted") {
  const DeviceArray<unsigned> marks(64);
  CHECK_FALSE(launch({1, 32, 227 * 1024}, [&] { mark(marks.data()); }).refused.has_value());
  CHECK_FALSE(launch({1, {1, 1, 64}}, [&] { mark(marks.data()); }).refused.has_value());
  CHECK(marks.values() == filled(64, [](unsigned i) { return i < 32 ? 2u : 1u; }));
}

TEST_CASE("the counters are exact") {
  const DeviceArray<unsigned> counter(1);
  const LaunchResult result = launch({3, 100}, [&] { work_for_counters(counter.data()); });
  CHECK(result.hazards.empty());
  CHECK(result.counters.value("threads") == 300);
  CHECK(result.counters.value("warps") == 12);     // 100 threads are 4 warps
  CHECK(result.counters.value("barriers") == 24);  // two barriers, each counted for every warp
  CHECK(result.counters.value("shared_atomics") == 900);
  CHECK(result.counters.value("global_atomics") == 150);
  CHECK(counter[0] == 150);
}

TEST_CASE("warps take turns in drawing numbers, and the lanes of a warp draw together") {
  const DeviceArray<unsigned> counter(1), owner(64);
  const LaunchResult by_warps = launch({1, 128}, [&] { draw_by_warps(counter.data(), 16, owner.data()); });
  CHECK(by_warps.hazards.empty());
  for (unsigned drawn = 0; drawn < 16; ++drawn) CHECK(owner[drawn] == drawn % 4);
  CHECK(by_warps.counters.value("global_atomic_requests") == 16 + 4);

  const DeviceArray<unsigned> another(1);
  const LaunchResult by_threads = launch({1, 32}, [&] { draw_by_threads(another.data(), 64, owner.data()); });
  CHECK(owner.values() == filled(64, [](unsigned i) { return i % 32; }));
  // Two numbers for each lane, and one that tells it that there are no more.
  CHECK(by_threads.counters.value("global_atomic_requests") == 3);
  CHECK(by_threads.counters.value("global_atomics") == 96);
  CHECK(by_threads.counters.value("global_store_requests") == 2);
}

TEST_CASE("places are counted where that is asked for, and are all there is") {
  const DeviceArray<unsigned> counter(1);
  const auto work = [&] { work_for_counters(counter.data()); };
  CHECK(launch({3, 100}, work).places.empty());
  const LaunchResult result = launch({.grid = 3, .block = 100, .places = true}, work);
  REQUIRE(result.places.size() == 5);  // a store, three atomics on shared memory and one on global memory
  std::vector<std::uint64_t> stores, shared, global, lanes;
  for (const auto& [place, counters] : result.places) {
    CHECK(lies_in(place, work_for_counters));
    stores.push_back(counters.value("shared_store_requests"));
    shared.push_back(counters.value("shared_atomic_requests"));
    global.push_back(counters.value("global_atomic_requests"));
    lanes.push_back(counters.value("thread_steps"));
  }
  CHECK(stores == std::vector<std::uint64_t>{3, 0, 0, 0, 0});
  CHECK(shared == std::vector<std::uint64_t>{0, 12, 12, 12, 0});
  CHECK(global == std::vector<std::uint64_t>{0, 0, 0, 0, 12});
  CHECK(lanes == std::vector<std::uint64_t>{3, 300, 300, 300, 150});
}

TEST_CASE("an observer of the caller's own is told what the counters are told, with them and without") {
  struct Listener : simulator::Observer {
    std::uint64_t blocks = 0, global_atomics = 0;
    void block_begins(const simulator::BlockContext&) override { ++blocks; }
    void access(const simulator::WarpAccess& access) override {
      if (access.space == simulator::Space::global && simulator::is_atomic(access.kind))
        global_atomics += static_cast<unsigned>(std::popcount(access.lanes));
    }
  };
  for (const bool counters : {true, false}) {
    CAPTURE(counters);
    const DeviceArray<unsigned> counter(1);
    Listener listener;
    launch({.grid = 3, .block = 100, .checks = counters, .counters = counters, .observers = {&listener}},
           [&] { work_for_counters(counter.data()); });
    CHECK(listener.blocks == 3);
    CHECK(listener.global_atomics == 150);
  }
}

TEST_CASE("of a launch some blocks can be run alone, and an observer can give it up") {
  struct Listener : simulator::Observer {
    std::vector<std::uint64_t> blocks;
    std::uint64_t most_accesses = UINT64_MAX, accesses = 0;
    void block_begins(const simulator::BlockContext& block) override { blocks.push_back(block.number); }
    void access(const simulator::WarpAccess&) override {
      if (++accesses > most_accesses) simulator::give_up_launch();
    }
  };
  const DeviceArray<unsigned> counter(1);
  Listener listener;
  simulator::LaunchConfiguration configuration{.grid = 3'000'000, .block = 100, .observers = {&listener}};
  configuration.blocks = {0, 7, 2'999'999};
  simulator::LaunchResult result = launch(configuration, [&] { work_for_counters(counter.data()); });
  CHECK_FALSE(result.given_up);
  CHECK(listener.blocks == configuration.blocks);
  CHECK(result.counters[facts::Counter::threads] == 300);
  listener = {};
  listener.most_accesses = listener.accesses + 1;
  result = launch(configuration, [&] { work_for_counters(counter.data()); });
  CHECK(result.given_up);
  CHECK(result.hazards.empty());
  CHECK(listener.blocks == std::vector<std::uint64_t>{0});
}

TEST_CASE("the counters start anew with each launch") {
  const DeviceArray<unsigned> counter(1);
  launch({3, 100}, [&] { work_for_counters(counter.data()); });
  const LaunchResult result = launch({1, 1}, [&] { work_for_counters(counter.data()); });
  CHECK(result.counters.value("threads") == 1);
  CHECK(result.counters.value("warps") == 1);
  CHECK(result.counters.value("barriers") == 2);
  CHECK(result.counters.value("shared_atomics") == 3);
  CHECK(result.counters.value("global_atomics") == 1);
}

TEST_CASE("a copy of a vector is one access, seen like any other") {
  const DeviceArray<uint4> in(32, {1, 2, 3, 4}), out(32), short_out(31);
  const LaunchResult result = launch({1, 32}, [&] { copy_vectors(in.data(), out.data()); });
  CHECK(result.hazards.empty());
  CHECK(result.counters.value("global_load_requests") == 1);
  CHECK(result.counters.value("global_load_sectors") == 16);
  CHECK(result.counters.value("global_store_requests") == 1);
  CHECK(out[31].w == 4);
  const LaunchResult past_the_end = launch({1, 32}, [&] { copy_vectors(in.data(), short_out.data()); });
  REQUIRE(past_the_end.hazards.size() == 1);
  CHECK(past_the_end.hazards[0].kind == facts::Verdict::out_of_bounds);
  CHECK((past_the_end.hazards[0].threads.front().thread == uint3{31, 0, 0}));
}

TEST_CASE("a structure that is copied or cleared as a whole is seen") {
  const DeviceArray<Record> in(32, {{1, 2, 3}}), out(32), short_out(31);
  const LaunchResult result = launch({1, 32}, [&] { copy_records(in.data(), out.data()); });
  CHECK(result.hazards.empty());
  // A word at a time, with clang 16 bytes, and no two lanes in one sector.
  const unsigned loads = 5 * of_four_words;
  CHECK(result.counters.value("global_load_requests") == loads);
  CHECK(result.counters.value("global_load_sectors") == loads * 32);
  CHECK(out[31].words[2] == 3);
  CHECK(launch({1, 32}, [&] { copy_records(in.data(), short_out.data()); }).hazards.size() == 1);
  CHECK(launch({1, 32}, [&] { clear_records(short_out.data()); }).hazards.size() == 1);
  CHECK(launch({1, 31}, [&] { clear_records(short_out.data()); }).hazards.empty());
  CHECK(short_out[30].words[2] == 0);
}

TEST_CASE("an atomic on the host's memory is out of bounds and ends its thread alone") {
  unsigned host = 77;
  const DeviceArray<unsigned> marks(3 * 40);
  const LaunchResult result = launch({3, 40}, [&] { mark_after_atomic(&host, 33, marks.data()); });
  CHECK(host == 77);
  REQUIRE(result.hazards.size() == 1);
  CHECK(result.hazards[0].kind == facts::Verdict::out_of_bounds);
  CHECK(result.hazards[0].what == "mark_after_atomic changed memory that belongs to no array");
  CHECK((result.hazards[0].threads.front().thread == uint3{33, 0, 0}));
  CHECK((result.hazards[0].threads.front().block == uint3{0, 0, 0}));
  CHECK(result.hazards[0].occurrences == 3);  // once in each block: the later ones ran
  CHECK(marks.values() == filled(120, [](unsigned i) { return i % 40 == 33 ? 0u : 1u; }));
  CHECK(result.counters.value("global_atomics") == 0);
  REQUIRE(result.hazards[0].sites.size() == 1);
  CHECK(lies_in(result.hazards[0].sites[0], &mark_after_atomic));
}

TEST_CASE("an atomic on the last word of a buffer is fine, one word further is out of bounds") {
  const DeviceArray<unsigned> words(5, 10), marks(1);
  CHECK(launch({1, 1}, [&] { mark_after_atomic(words.data() + 4, 0, marks.data()); }).hazards.empty());
  CHECK(words[4] == 11);
  const LaunchResult result = launch({1, 1}, [&] { mark_after_atomic(words.data() + 5, 0, marks.data()); });
  REQUIRE(result.hazards.size() == 1);
  CHECK(result.hazards[0].kind == facts::Verdict::out_of_bounds);
  CHECK(marks[0] == 1);
}

TEST_CASE("a launch after one with a fault works as if nothing had been") {
  unsigned host = 0;
  const DeviceArray<unsigned> marks(64), again(64);
  REQUIRE(launch({1, 64}, [&] { mark_after_atomic(&host, 5, marks.data()); }).hazards.size() == 1);
  CHECK(launch({1, 64}, [&] { mark(again.data()); }).hazards.empty());
  CHECK(again.values() == std::vector<unsigned>(64, 1));
}

TEST_CASE("the compiler's own atomic builtins work in a kernel") {
  const DeviceArray<unsigned> word(1), out(10);
  CHECK(launch({1, 1}, [&] { compiler_atomics(word.data(), out.data()); }).hazards.empty());
  CHECK(out.values() == std::vector<unsigned>{12, 12, 15, 10, 15, 6, 5, 0, 40, 40});
  CHECK(word[0] == ~8u);
}

TEST_CASE("lanes load together also where a thread's turn ends in the midst of a loop") {
  const DeviceArray<unsigned> in(64, 1), out(64);
  for (const unsigned pause : {200u, 1000u}) {
    const unsigned turns = 1'250'000 / pause;  // more than 2^20 basic blocks
    CAPTURE(pause);
    for (const auto kernel : {load_in_long_turns, load_in_parted_turns}) {
      const LaunchResult result = launch({1, 64}, [&] { kernel(in.data(), turns, pause, out.data()); });
      CHECK(result.hazards.empty());
      CHECK(out[63] == turns);
      CHECK(result.counters.value("global_load_requests") == 2 * turns);
    }
  }
}

TEST_CASE("one kernel interleaves its threads in the same way in every launch") {
  const auto lost_updates = [] {
    const DeviceArray<unsigned> counter(1);
    launch({1, 3}, [&] { count_without_atomics(counter.data(), 30'000, 50); });
    return counter[0];
  };
  const unsigned first = lost_updates();
  CHECK(first < 90'000);  // else there was nothing to interleave
  launch({1, 1}, [] { idle(123'457); });
  CHECK(lost_updates() == first);
}
