// SPDX-License-Identifier: MIT
// In lockstep races lose updates, the same for the same seed, and what is right stays right.
#include "simulator/lockstep.hpp"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <bit>
#include <numeric>
#include <set>

#include "kernels.hpp"
#include "launching.hpp"

using simulator::LaunchConfiguration;
using simulator::LaunchResult;

namespace {

using Counts = std::vector<unsigned>;

constexpr std::uint64_t seeds[] = {0, 1, 2, 0xffffffffffffffff};

LaunchConfiguration in_lockstep(dim3 grid, dim3 block, std::uint64_t seed,
                                std::size_t dynamic_shared_bytes = 0) {
  LaunchConfiguration configuration{grid, block, dynamic_shared_bytes};
  configuration.lockstep_seed = seed;
  return configuration;
}

// The counts of a histogram without atomics, 1024 updates of 8 bins.
Counts counted_plainly(const LaunchConfiguration& configuration) {
  const DeviceArray<unsigned> histo(8);
  CHECK(launch(configuration, [&] { count_plainly(8, histo.data()); }).hazards.empty());
  return histo.values();
}

unsigned sum(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), 0u); }

// Launches a kernel with each of the seeds; what it writes must be `expected`, and there must be no hazard.
template <class T, class Program>
void check_right(dim3 grid, dim3 block, const std::vector<T>& expected, Program program) {
  for (const std::uint64_t seed : seeds) {
    CAPTURE(seed);
    const DeviceArray<T> out(expected.size());
    CHECK(launch(in_lockstep(grid, block, seed), [&] { program(out.data()); }).hazards.empty());
    CHECK(out.values() == expected);
  }
}

}  // namespace

TEST_CASE("without an atomic updates are lost: the same for the same seed, others for another one") {
  LaunchConfiguration plain{4, 256, 0, unchecked};
  CHECK(counted_plainly(plain) == Counts(8, 128));  // control: from barrier to barrier nothing is lost
  std::set<Counts> seen;
  for (const std::uint64_t seed : seeds) {
    CAPTURE(seed);
    const Counts first = counted_plainly(in_lockstep(4, 256, seed));
    CHECK(sum(first) < 512);
    for (const unsigned count : first) CHECK(count > 0);
    CHECK(counted_plainly(in_lockstep(4, 256, seed)) == first);
    seen.insert(first);
  }
  CHECK(seen.size() == 4);
}

TEST_CASE("updates are lost between the blocks too, and within one warp") {
  CHECK(counted_plainly(in_lockstep(1024, 1, 7)) != Counts(8, 128));
  CHECK(sum(counted_plainly(in_lockstep(1, 32, 7))) < 32);
}

TEST_CASE("one thread alone loses nothing") {
  CHECK(counted_plainly(in_lockstep(1, 1, 7)) == Counts{1, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("each block has a shared memory of its own, in which it loses its own updates") {
  const auto sums = [](std::uint64_t seed) {
    const DeviceArray<unsigned> out(20);
    CHECK(launch(in_lockstep(20, 128, seed), [&] { count_plainly_in_shared(out.data()); }).hazards.empty());
    return out.values();
  };
  const Counts first = sums(3);
  for (const unsigned count : first) CHECK((count > 0 && count < 128));
  CHECK(std::set<unsigned>(first.begin(), first.end()).size() > 5);
  CHECK(sums(3) == first);
  CHECK(sums(4) != first);
}

TEST_CASE("shared memory is poisoned before each block") {
  check_right(40, 32, Counts(40 * 32, 0xdbdbdbdb), [](unsigned* out) { read_fresh_shared(out); });
  check_right(40, 1, Counts(40, 0xdbdbdbdb),
              [](unsigned* out) { read_fresh_shared(out); });  // some begin late
}

TEST_CASE("a histogram in shared memory with atomics and barriers is right") {
  // 30 blocks of 100 threads: bin b of block k has k + 1 times the threads of b, modulo 7.
  const Counts expected = filled(7, [](unsigned bin) { return 465 * (bin < 2 ? 15u : 14u); });
  check_right(30, 100, expected, [](unsigned* histo) { count_in_shared(7, histo); });
}

TEST_CASE("no more blocks are resident than a multiprocessor holds, and the others follow") {
  const DeviceArray<unsigned> clock(1), began(100), ended(100);
  launch(in_lockstep(100, 1, 5), [&] { order_of_blocks(clock.data(), began.data(), ended.data()); });
  CHECK(clock[0] == 200);
  unsigned most = 0;
  for (unsigned block = 0; block < 100; ++block) {
    unsigned running = 0;
    for (unsigned other = 0; other < 100; ++other)
      running += began[other] <= began[block] && began[block] < ended[other];
    most = std::max(most, running);
  }
  CHECK(most > 8);
  CHECK(most <= simulator::ModelDevice::limits.blocks);
}

TEST_CASE("the first or the last blocks are ahead of the others where they are preferred") {
  const auto ended = [](facts::Preferred preferred, std::uint64_t seed) {
    LaunchConfiguration configuration = in_lockstep(8, 1, seed);
    configuration.lockstep_turns = {preferred, 1000};
    const DeviceArray<unsigned> clock(1), began(8), ended(8);
    const LaunchResult result =
        launch(configuration, [&] { order_of_blocks(clock.data(), began.data(), ended.data()); });
    CHECK(result.hazards.empty());
    CHECK_FALSE(result.given_up);
    return ended.values();
  };
  for (const std::uint64_t seed : {1, 2, 3}) {
    CAPTURE(seed);
    const Counts of_first = ended(facts::Preferred::first_blocks, seed),
                 of_last = ended(facts::Preferred::last_blocks, seed);
    CHECK(of_first.front() < of_first.back());
    CHECK(of_last.front() > of_last.back());
    CHECK(ended(facts::Preferred::last_blocks, seed) == of_last);
  }
}

TEST_CASE("where readers are preferred, all have read a word before one changes it") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    CAPTURE(seed);
    LaunchConfiguration configuration = in_lockstep(4, 256, seed);
    configuration.lockstep_turns = {facts::Preferred::readers, 100'000};
    CHECK(sum(counted_plainly(configuration)) < 64);  // of 1024: a step in 64 is anybody's
  }
}

TEST_CASE("a launch that takes more steps than it may is given up, and leaves nothing for the next one") {
  LaunchConfiguration configuration = in_lockstep(4, 256, 1);
  configuration.lockstep_turns = {facts::Preferred::readers, 1000};
  const DeviceArray<unsigned> histo(8);
  const LaunchResult result = launch(configuration, [&] { count_plainly(8, histo.data()); });
  CHECK(result.given_up);
  CHECK(result.hazards.empty());
  CHECK(counted_plainly({4, 256, 0, unchecked}) == Counts(8, 128));
}

TEST_CASE(
    "lanes that fence before a barrier of their warp go on in lockstep, behind a barrier of the block too") {
  for (const std::uint64_t seed : seeds) {
    CAPTURE(seed);
    const DeviceArray<unsigned> partial(512), flags(1), out(1);
    CHECK(launch(in_lockstep(1, 512, seed), [&] {
            fence_behind_barrier(partial.data(), flags.data(), out.data());
          }).hazards.empty());
    CHECK(out[0] == 512);
  }
}

TEST_CASE("compare-and-swaps that fail and are not repeated are noted where threads are preferred") {
  LaunchConfiguration configuration = in_lockstep(1, 64, 1);
  const DeviceArray<unsigned> word(1);
  const auto notes = [&](bool repeated) {
    return launch(configuration, [&] { count_by_swap(repeated, word.data()); }).notes;
  };
  CHECK(notes(false).empty());  // of no use where a user asks for lockstep
  configuration.lockstep_turns = {facts::Preferred::readers, 100'000};
  CHECK(notes(true).empty());
  const std::vector<simulator::Hazard> once = notes(false);
  REQUIRE(once.size() == 1);
  CHECK(
      once.front().what.ends_with(" times a compare-and-swap found that the word had changed meanwhile, "
                                  "changed nothing, and was not tried again"));
  CHECK(once.front().sites.size() == 1);
}

TEST_CASE(
    "threads that wait for what nobody changes any more never end, in whatever order they were before") {
  LaunchConfiguration configuration = in_lockstep(1, 64, 1);
  configuration.lockstep_turns = {facts::Preferred::readers, 1'000'000};
  const DeviceArray<unsigned> word(1);
  const auto hazards = [&](bool bounded) {
    return launch(configuration, [&] { count_by_stale_swap(bounded, word.data()); }).hazards;
  };
  CHECK(hazards(true).empty());
  const std::vector<simulator::Hazard> endless = hazards(false);
  REQUIRE(endless.size() == 1);
  CHECK(endless.front().kind == facts::Verdict::timeout);
  CHECK(endless.front().what ==
        "count_by_stale_swap never ends: a thread repeats the same steps again and again");
  CHECK(endless.front().roles == std::vector<std::string>{"repeats"});
}

TEST_CASE("every thread of a grid in three dimensions runs once and knows its place") {
  const dim3 grid{3, 2, 2}, block{5, 4, 3};
  const DeviceArray<Place> places(12 * 60);
  CHECK(launch(in_lockstep(grid, block, 1), [&] { record_place(places.data()); }).hazards.empty());
  for (unsigned i = 0; i < 12 * 60; ++i) {
    CAPTURE(i);
    const unsigned t = i % 60, b = i / 60;
    CHECK(places[i].visits == 1);
    CHECK((places[i].thread == uint3{t % 5, t / 5 % 4, t / 20}));
    CHECK((places[i].block == uint3{b % 3, b / 3 % 2, b / 6}));
  }
}

TEST_CASE("barriers hold, and count and combine their predicates") {
  for (const unsigned distance : {1u, 31u, 65u}) {
    const Counts expected = filled(600, [&](unsigned i) { return (i % 100 + 3 * distance) % 100; });
    check_right(6, 100, expected, [&](unsigned* out) { rotate(distance, out); });
  }
  check_right(8, 70, filled(3 * 560, [](unsigned i) { return i % 3 == 0   ? 69
                                                             : i % 3 == 1 ? 0
                                                                          : 1; }),
              [](int* out) { barrier_reductions(69, out); });
}

TEST_CASE("__syncwarp holds, of a whole warp and of its halves") {
  check_right(5, 128, filled(640, [](unsigned i) { return i % 128 / 32 * 32 + (i + 2) % 32; }),
              [](unsigned* out) { pass_on_through_syncwarp(out); });
  check_right(3, 32,
              filled(96,
                     [](unsigned i) {
                       const unsigned lane = i % 32;
                       return lane < 16 ? (lane + 1) % 16 : 100 + 16 + (lane + 1) % 16;
                     }),
              [](unsigned* out) { syncwarp_of_halves(out); });
}

TEST_CASE("votes, shuffles and reductions work in branches, and the active mask is as converged as can be") {
  const unsigned odd = 0x0ff0f00f;
  const DeviceArray<Branch> together(64);
  REQUIRE(launch({2, 32}, [&] { work_in_branches(odd, together.data()); }).hazards.empty());
  for (const std::uint64_t seed : seeds) {
    CAPTURE(seed);
    const DeviceArray<Branch> out(64);
    CHECK(launch(in_lockstep(2, 32, seed), [&] { work_in_branches(odd, out.data()); }).hazards.empty());
    for (unsigned i = 0; i < 64; ++i) {
      CAPTURE(i);
      CHECK(out[i].ballot == together[i].ballot);
      CHECK(out[i].first_value == together[i].first_value);
      CHECK(out[i].sum == together[i].sum);
      CHECK((out[i].active >> i % 32 & 1) == 1);
      CHECK((out[i].active & ((odd >> i % 32 & 1) ? ~odd : odd)) == 0);
    }
  }
  check_right(2, 64, Counts(128, full), [](unsigned* out) { active_mask(out); });
  check_right(2, 32, Counts(64, full), [](unsigned* out) { active_mask_after_loop(out); });
}

TEST_CASE("lanes that ask for their active mask in different rounds of a loop are not taken for one group") {
  for (const bool together : {true, false}) {
    CAPTURE(together);
    for (const std::uint64_t seed : seeds) {
      CAPTURE(seed);
      const DeviceArray<unsigned> counts(4);
      CHECK(launch(in_lockstep(1, 32, seed), [&] {
              count_lanes_of_each_round(together, counts.data());
            }).hazards.empty());
      CHECK(counts.values() == std::vector<unsigned>(4, together ? 32 : 8));
    }
  }
}

TEST_CASE("atomics lose nothing, also those made of compare-and-swap") {
  check_right(20, 64, Counts{1280}, [](unsigned* word) { add_everywhere(word); });
  check_right(10, 64, Counts{1280}, [](unsigned* word) { add_by_compare_and_swap(word); });
  const DeviceArray<unsigned> word(1), tickets(640);
  launch(in_lockstep(10, 64, 9), [&] { take_tickets(word.data(), 1000, tickets.data()); });
  Counts values = tickets.values();
  CHECK_FALSE(std::is_sorted(values.begin(), values.end()));
  std::sort(values.begin(), values.end());
  CHECK(values == filled(640, [](unsigned i) { return i; }));
}

TEST_CASE("the compiler's own atomic builtins work") {
  const DeviceArray<unsigned> word(1), out(10);
  CHECK(launch(in_lockstep(1, 1, 1), [&] { compiler_atomics(word.data(), out.data()); }).hazards.empty());
  CHECK(out.values() == Counts{12, 12, 15, 10, 15, 6, 5, 0, 40, 40});
}

TEST_CASE("arrays of dynamic shared memory belong to their block") {
  const DeviceArray<float> out(400);
  CHECK(launch(in_lockstep(8, 50, 6, 50 * sizeof(float)), [&] {
          dynamic_in_template(out.data());
        }).hazards.empty());
  CHECK(out.values() == filled(400, [](unsigned i) { return static_cast<float>(49 - i % 50) / 2; }));
}

TEST_CASE("a thread that spins lets the one go on that it waits for, in its block and in another one") {
  for (const unsigned setter : {0u, 31u, 64u}) {
    const DeviceArray<unsigned> flag(1), out(65);
    CHECK(launch(in_lockstep(1, 65, setter), [&] {
            spin_until_set(flag.data(), setter, out.data());
          }).hazards.empty());
    CHECK(out.values() == Counts(65, 5));
  }
  const DeviceArray<unsigned> flag(1), out(2);
  CHECK(launch(in_lockstep(1, 2, 1), [&] {
          spin_beside_active_mask(flag.data(), out.data());
        }).hazards.empty());
  CHECK(out[0] == 5);
  CHECK(out[1] == 2);
}

TEST_CASE("who waits in vain is reported, and the launch ends") {
  const DeviceArray<unsigned> flag(1), out(8);
  LaunchConfiguration configuration = in_lockstep(2, 4, 1);
  configuration.patience = 10'000;
  const LaunchResult spinning = launch(configuration, [&] { spin_until_set(flag.data(), 9, out.data()); });
  REQUIRE(spinning.hazards.size() == 1);
  CHECK(spinning.hazards[0].kind == facts::Verdict::timeout);
  CHECK(spinning.hazards[0].what ==
        "spin_until_set never ends: a thread repeats the same steps again and again");
  CHECK(lies_in(spinning.hazards[0].sites[0], &spin_until_set));

  const DeviceArray<unsigned> marks(64);
  const LaunchResult stuck = launch(in_lockstep(1, 64, 1), [&] { warp_waits_for_barrier(marks.data()); });
  REQUIRE(stuck.hazards.size() == 1);
  CHECK(stuck.hazards[0].kind == facts::Verdict::divergent_barrier);
  CHECK(stuck.hazards[0].what ==
        "a warp operation with mask 0xffffffff waits for lane 0, which waits at a barrier of the "
        "block");
  // Nothing of that is left for the next launch, in lockstep or not.
  CHECK(sum(counted_plainly(in_lockstep(4, 256, 1))) < 512);
  CHECK(counted_plainly({4, 256, 0, unchecked}) == Counts(8, 128));
}

TEST_CASE("who stores does not wait in vain, however long it takes") {
  const DeviceArray<unsigned> counter(1);
  LaunchConfiguration configuration = in_lockstep(1, 1, 1);
  configuration.patience = 250;
  CHECK(launch(configuration, [&] { count_without_atomics(counter.data(), 10'000, 3); }).hazards.empty());
  CHECK(counter[0] == 10'000);
}

TEST_CASE("memory and barriers are checked, and a fault ends its thread alone") {
  unsigned host = 77;
  const DeviceArray<unsigned> marks(120);
  const LaunchResult fault =
      launch(in_lockstep(3, 40, 1), [&] { mark_after_atomic(&host, 33, marks.data()); });
  CHECK(host == 77);
  REQUIRE(fault.hazards.size() == 1);
  CHECK(fault.hazards[0].kind == facts::Verdict::out_of_bounds);
  CHECK(fault.hazards[0].occurrences == 3);
  CHECK(marks.values() == filled(120, [](unsigned i) { return i % 40 == 33 ? 0u : 1u; }));

  const DeviceArray<unsigned> out(128);
  const LaunchResult divergent = launch(in_lockstep(2, 64, 1), [&] { barrier_after_return(37, out.data()); });
  REQUIRE(divergent.hazards.size() == 1);
  CHECK(divergent.hazards[0].what ==
        "37 of 64 threads had already ended when the others waited at the barrier");
  CHECK(out.values() == filled(128, [](unsigned i) { return i % 64 < 37 ? 0u : 2u; }));
}

TEST_CASE("of the counters there are threads, warps and barriers, traced or not") {
  const DeviceArray<unsigned> counter(1);
  LaunchConfiguration configuration = in_lockstep(3, 100, 1);
  configuration.trace = facts::TraceRequest{{{0, 2}}};
  const LaunchResult result = launch(configuration, [&] { work_for_counters(counter.data()); });
  CHECK(result.counters.value("threads") == 300);
  CHECK(result.counters.value("warps") == 12);
  CHECK(result.counters.value("barriers") == 24);
  CHECK(result.counters.value("shared_atomics") == 0);
  CHECK(result.counters.value("warp_steps") == 0);
  CHECK(result.trace.value().interleaved);
  CHECK(counter[0] == 150);
}

namespace {

// "0 reads 0", "1 writes 1": the accesses of a traced run, with their threads.
std::vector<std::string> steps_of(const LaunchResult& result, unsigned threads) {
  std::vector<std::string> steps;
  for (const facts::TraceEvent& event : result.trace.value().events) {
    if (!event.is_access()) continue;
    REQUIRE(std::has_single_bit(event.lanes));
    const auto thread =
        event.block * threads + event.warp * 32 + static_cast<unsigned>(std::countr_zero(event.lanes));
    steps.push_back(event.read.empty() ? fmt::format("{} writes {}", thread, event.written.at(0))
                                       : fmt::format("{} reads {}", thread, event.read.at(0)));
  }
  return steps;
}

LaunchResult counted_in_order(dim3 grid, dim3 block, std::vector<std::uint64_t> order, unsigned expected) {
  LaunchConfiguration configuration = in_lockstep(grid, block, 1);
  configuration.trace = {.blocks = {{0, 99}}, .values = true};
  configuration.lockstep_order = std::move(order);
  const DeviceArray<unsigned> histo(1);
  LaunchResult result = launch(configuration, [&] { count_plainly(1, histo.data()); });
  CHECK(histo.values() == Counts{expected});
  return result;
}

}  // namespace

TEST_CASE("in lockstep accesses are traced one by one, in the order that is listed") {
  using Steps = std::vector<std::string>;
  CHECK(steps_of(counted_in_order(1, 2, {0, 1, 0, 1}, 1), 2) ==
        Steps{"0 reads 0", "1 reads 0", "0 writes 1", "1 writes 1"});
  CHECK(steps_of(counted_in_order(1, 2, {1, 1, 0, 0}, 2), 2) ==
        Steps{"1 reads 0", "1 writes 1", "0 reads 1", "0 writes 2"});
  // What is not listed goes on from the lowest thread; who has ended is passed over.
  CHECK(steps_of(counted_in_order(1, 2, {1}, 1), 2) ==
        Steps{"1 reads 0", "0 reads 0", "0 writes 1", "1 writes 1"});
  CHECK(steps_of(counted_in_order(1, 2, {0, 0, 0, 0, 7, 1}, 2), 2) ==
        Steps{"0 reads 0", "0 writes 1", "1 reads 1", "1 writes 2"});
  // Threads of other blocks go on by their numbers in the grid.
  CHECK(steps_of(counted_in_order(2, 1, {1, 0, 1, 0}, 1), 1) ==
        Steps{"1 reads 0", "0 reads 0", "1 writes 1", "0 writes 1"});
}

TEST_CASE("a trace in lockstep names the block of each event, and does not change the run") {
  LaunchConfiguration configuration = in_lockstep(4, 256, 1);
  const Counts untraced = counted_plainly(configuration);
  configuration.trace = {.blocks = {{1, 2}}, .values = true};
  const DeviceArray<unsigned> histo(8);
  const LaunchResult result = launch(configuration, [&] { count_plainly(8, histo.data()); });
  CHECK(histo.values() == untraced);
  const facts::Trace& trace = result.trace.value();
  CHECK(trace.interleaved);
  CHECK(trace.events.size() == 2 * (256 * 2 + 2));  // a load and a store of each thread, begin and end
  for (const facts::TraceEvent& event : trace.events) CHECK((event.block == 1 || event.block == 2));
  CHECK_FALSE(launch(in_lockstep(1, 1, 1), [&] { count_plainly(8, histo.data()); }).trace.has_value());
}
