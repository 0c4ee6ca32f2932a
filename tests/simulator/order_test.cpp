// SPDX-License-Identifier: MIT
// The rules of docs/checkers.md, "The memory model": of each the legal kernel says nothing, and its broken
// twin is a race.
#include "kernels.hpp"
#include "launching.hpp"

namespace {

// The first word of what was found in a kernel that gets three arrays; "" if nothing was.
struct Findings {
  std::string race, note;
  std::string diagnosis;
};

Findings findings_of(const simulator::LaunchResult& result) {
  Findings findings;
  if (!result.hazards.empty()) {
    findings.race = result.hazards[0].what;
    findings.diagnosis = observation_of(result.hazards[0], true).diagnosis;
    CHECK(result.hazards[0].kind == facts::Verdict::race);
  }
  if (!result.notes.empty()) findings.note = result.notes[0].what;
  return findings;
}

template <class Kernel>
Findings run(Kernel kernel, bool legal, dim3 grid, dim3 block) {
  const DeviceArray<unsigned> first(1024), second(1024), third(1024);
  return findings_of(launch({.grid = grid, .block = block},
                            [&] { kernel(legal, first.data(), second.data(), third.data()); }));
}

template <class Kernel>
void check_rule(const char* rule, Kernel kernel, dim3 grid, dim3 block, const std::string& race,
                const std::string& diagnosis) {
  CAPTURE(rule);
  const Findings right = run(kernel, true, grid, block);
  CHECK(right.race == "");
  CHECK(right.note == "");
  const Findings broken = run(kernel, false, grid, block);
  CHECK(broken.race == race);
  CHECK(broken.diagnosis == diagnosis);
}

const char* const written_and_read = "one thread writes memory[0] while another reads it";

}  // namespace

TEST_CASE("a fence orders what came before it, for who meets the thread by a strong access") {
  const auto check = [](const char* rule, auto kernel, dim3 grid, dim3 block,
                        const char* race = written_and_read) {
    check_rule(rule, kernel, grid, block, race, "missing_atomic");
  };
  check("the fence comes before the atomic", fence_before_atomic, 8, 32);
  check("the write comes before the fence", write_before_fence, 8, 32);
  check("a barrier before the fence passes on what others wrote", pass_on_behind_barrier, 4, 64,
        "one thread writes memory[4] while another reads it");
  check("so does a barrier of the warp", pass_on_behind_warp_barrier, 4, 32,
        "one thread writes memory[4] while another reads it");
  check("all threads fence before a barrier", fence_each, 4, 64);
  check("all lanes fence before a barrier of the warp", fence_each_lane, 4, 32);
  check("a fence for the block does not reach other blocks", fence_for_device, 8, 32);
  check("a volatile flag releases and is acquired", wait_for_volatile_flag, 2, 32);
  check("an order of release is a fence", release_and_acquire, 2, 32);
  check("what was acquired is handed on", hand_on, 3, 32);
}

TEST_CASE("sequentially consistent fences are ordered among themselves, also across a barrier") {
  const auto check = [](const char* rule, auto kernel, dim3 block, const std::string& read) {
    check_rule(rule, kernel, 2, block, "one thread writes " + read + " while another reads it",
               "missing_atomic");
  };
  check("some threads fence before a barrier", fence_of_writers, 64, "memory[128]");
  check("the writers' fence is not of the kind", fence_of_writers_in_order, 64, "memory[128]");
  check("the reader's fence is not of the kind", fence_of_reader_in_order, 64, "memory[128]");
  check("a write behind the fence", write_behind_fence_of_writers, 64, "memory[128]");
  check("another thread fences behind a barrier", read_and_fence_behind_barrier, 64, "memory[0]");
  check("another lane fences behind a barrier of the warp", read_and_fence_behind_warp_barrier, 32,
        "memory[0]");
}

TEST_CASE(
    "a release is no acquire, nor an acquire a release, and an operation's order is of its word alone") {
  const auto check = [](const char* rule, auto kernel, dim3 grid, const char* race = written_and_read) {
    check_rule(rule, kernel, grid, 32, race, "missing_atomic");
  };
  check("an operation that only releases", count_with_order<0>, 8);
  check("an operation that only acquires", count_with_order<1>, 8);
  check("a relaxed operation", count_with_order<2>, 8);
  check("a fence that only releases", release_twice, 8);
  check("a fence that only acquires", acquire_twice, 8);
  check("another word is released", release_other_word, 2);
  check("another word is acquired", acquire_other_word, 2);
  check("what was not acquired is not handed on", hand_on_with_order, 3);
  const char* const both_change = "two threads change memory[0] without an atomic";
  check("a lock given back without an order", lock_with_order<false>, 3, both_change);
  check("a lock taken without an order", lock_with_order<true>, 3, both_change);
  check("a byte's word", release_by_byte, 2);
}

TEST_CASE("what was released is handed on by atomics of the word, and by who has acquired it") {
  check_rule("a store in between", hand_on_in_word, 1, 96, written_and_read, "missing_barrier");
  check_rule("for the block, then for the device", hand_on_from_block, 2, 64, written_and_read,
             "missing_atomic");
}

TEST_CASE("what was acquired is handed on through any number of words, by the thread that has acquired it") {
  const auto check = [](const char* rule, auto kernel, dim3 grid, dim3 block) {
    check_rule(rule, kernel, grid, block, written_and_read, "missing_atomic");
  };
  check("a chain of blocks", hand_on_through_blocks, 40, 32);
  check("another thread, behind a barrier", hand_on_by_another_thread, 3, 64);
  check("another lane, behind a barrier of the warp", hand_on_by_another_lane, 3, 32);
  check("what is for the block", hand_on_what_is_for_the_block, 3, 32);
}

TEST_CASE("a ring of warps orders, however long it turns") {
  const auto race_of = [](bool legal, unsigned rounds) {
    const DeviceArray<unsigned> value(32), turns(32);
    LaunchConfiguration configuration{.grid = 1, .block = 256};
    configuration.time_limit = std::chrono::seconds(5);
    return findings_of(
               launch(configuration, [&] { hand_on_in_a_ring(legal, rounds, value.data(), turns.data()); }))
        .race;
  };
  for (const unsigned rounds : {1, 30, 1000}) {
    CAPTURE(rounds);
    CHECK(race_of(true, rounds) == "");
  }
  CHECK(race_of(false, 30) == "two threads change memory[0] without an atomic");
}

namespace {

std::string race_in_turns(bool legal, unsigned rounds) {
  const DeviceArray<unsigned> value(1), word(1);
  return findings_of(launch({.grid = 1, .block = 64},
                            [&] { change_in_turns(legal, rounds, value.data(), word.data()); }))
      .race;
}

}  // namespace

TEST_CASE("turns order, one and a hundred in one interval") {
  for (const unsigned rounds : {1, 100}) {
    CAPTURE(rounds);
    CHECK(race_in_turns(true, rounds) == "");
  }
  CHECK(race_in_turns(false, 100) == "two threads change memory[0] without an atomic");
}

TEST_CASE("turns order, however many there are in one interval" * doctest::test_suite("long")) {
  CHECK(race_in_turns(true, 5000) == "");
}

TEST_CASE("fences and strong accesses order threads of one block and of one warp") {
  check_rule("a flag of another warp", wait_for_flag_of_warp, 1, 64,
             "one thread writes value[0] while another reads it", "missing_barrier");
  check_rule("a flag behind a barrier of the other warp, whose lanes have fenced", fence_each_lane_of_block,
             1, 64, written_and_read, "missing_barrier");
  check_rule("a write behind the reads of many warps", write_when_all_have_read, 1, 192,
             "one thread reads memory[0] while another writes it", "missing_barrier");
  check_rule("a word for all of the block", wait_for_all_of_block, 1, 256,
             "one thread writes memory[1020] while another reads it", "missing_barrier");
  check_rule("a lock in a warp", add_in_turn, 1, 32, "two threads change memory[0] without an atomic",
             "missing_atomic");
  check_rule("a lock in a block", add_in_turn, 1, 96, "two threads change memory[0] without an atomic",
             "missing_atomic");
  check_rule("a lock between blocks", add_in_turn, 3, 64, "two threads change memory[0] without an atomic",
             "missing_atomic");
}

TEST_CASE("a wait in every block, and locks of many words, take no more time than the accesses to them") {
  const auto in_time = [](auto kernel, dim3 grid) {
    const DeviceArray<unsigned> first(1024), second(1024), third(1024);
    LaunchConfiguration configuration{.grid = grid, .block = 256};
    configuration.time_limit = std::chrono::seconds(5);
    const auto result =
        launch(configuration, [&] { kernel(true, first.data(), second.data(), third.data()); });
    CHECK(findings_of(result).race == "");
  };
  in_time(add_in_turn_to_many, 300);
  // Only one block has waited when the next begins, so that the arrays are nobody else's.
  for (unsigned block = 0; block < 100; ++block) in_time(wait_for_all_of_block, 1);
}

TEST_CASE("lanes hand on what they have met in a __syncwarp, and a match orders nothing") {
  check_rule("masks that share lanes", hand_on_through_masks, 1, 32,
             "one thread writes words[0] while another reads it", "missing_warp_sync");
  check_rule("leaders in rounds", add_by_leaders, 1, 32, "two threads change counts[1] without an atomic",
             "missing_atomic");
}

TEST_CASE("a counter that is cleared in the next round is another one than those that are read") {
  check_rule("counters in turn", clear_next_counter, 1, 64,
             "one thread reads counters[0] while another writes it", "missing_barrier");
}

TEST_CASE("a store that another thread changes lacks a barrier, not an atomic") {
  check_rule("a store and a change", add_to_what_another_wrote, 1, 64,
             "one thread writes memory[0] while another reads it", "missing_barrier");
}

TEST_CASE("stores that move words lack a barrier, those that change them an atomic") {
  const char* const read_too_early = "one thread writes keys[6] while another reads it";
  check_rule("exchanges", sort_in_rounds, 1, 256, read_too_early, "missing_barrier");
  check_rule("exchanges in a warp", sort_in_rounds, 1, 32, read_too_early, "missing_warp_sync");
  check_rule("rotations", rotate_in_rounds, 1, 32, "one thread writes ring[3] while another reads it",
             "missing_warp_sync");
  check_rule("two words at once", change_two_at_once, 1, 64,
             "two threads change memory[12] without an atomic", "missing_atomic");
  check_rule("a loaded index", count_at_loaded_index, 1, 64, "two threads change memory[0] without an atomic",
             "missing_atomic");
}

TEST_CASE("strong accesses are no race, unless an update is lost between them") {
  const char* const changed = "two threads change memory[0] without an atomic";
  check_rule("volatile", announce, 2, 64, "two threads write memory[0]", "missing_atomic");
  check_rule("a value in the flag", value_in_flag, 2, 32, written_and_read, "missing_atomic");
  check_rule("a volatile load and store", count_volatile, 2, 64, changed, "missing_atomic");
  check_rule("a relaxed load and store", count_relaxed, 2, 64, changed, "missing_atomic");
  check_rule("a load and a store with an order", count_in_order, 1, 32, changed, "missing_atomic");
  check_rule("an atomic that reads and one that writes", count_by_exchange, 2, 64,
             "one thread reads memory[0] and then writes it, while another changes it in between",
             "missing_atomic");
  check_rule("an atomic for the block", count_for_block, 2, 64,
             "threads of different blocks change memory[0] by atomics that are for one block only",
             "missing_atomic");
}

TEST_CASE("atomics of different sizes are not atomic for each other") {
  const char* const both_change = "two threads change memory[0] at once by atomics of different sizes";
  check_rule("eight bytes and four", count_long_and_short, 1, 32, both_change, "missing_atomic");
  check_rule("the same of two blocks", count_long_and_short, 2, 64, both_change, "missing_atomic");
  check_rule("four bytes and two", count_short_and_half, 1, 32, both_change, "missing_atomic");
  check_rule("one behind the other", count_long_then_short, 1, 64,
             "two threads change sum[0] at once by atomics of different sizes", "missing_atomic");
}

TEST_CASE("warp barriers order, however many there are") {
  for (const unsigned rounds : {0, 254, 255, 256, 1000, 30000}) {
    CAPTURE(rounds);
    const DeviceArray<unsigned> out(32);
    const auto right = launch({.grid = 1, .block = 32}, [&] { hand_over_late(true, rounds, out.data()); });
    CHECK(findings_of(right).race == "");
    const auto broken = launch({.grid = 1, .block = 32}, [&] { hand_over_late(false, rounds, out.data()); });
    CHECK(findings_of(broken).diagnosis == "missing_warp_sync");
  }
}

TEST_CASE("bytes and shorts of one word are apart") {
  const auto check = [](auto part) {
    using Part = decltype(part);
    const DeviceArray<Part> sums(64);
    const DeviceArray<unsigned> out(64);
    const auto right =
        launch({.grid = 1, .block = 64}, [&] { add_to_own_part(true, sums.data(), out.data()); });
    CHECK(findings_of(right).race == "");
    CHECK(out[5] == 2);
    const auto broken =
        launch({.grid = 1, .block = 64}, [&] { add_to_own_part(false, sums.data(), out.data()); });
    CHECK(findings_of(broken).race != "");
  };
  check(static_cast<unsigned char>(0));
  check(static_cast<unsigned short>(0));
}

TEST_CASE("bytes and shorts of one word may pass from thread to thread") {
  const auto check = [](auto part) {
    using Part = decltype(part);
    const DeviceArray<Part> sums(64);
    const DeviceArray<unsigned> out(64);
    const auto right =
        launch({.grid = 1, .block = 64}, [&] { pass_parts_on(true, sums.data(), out.data()); });
    CHECK(findings_of(right).race == "");
    CHECK(out[5] == 8);
    const auto broken =
        launch({.grid = 1, .block = 64}, [&] { pass_parts_on(false, sums.data(), out.data()); });
    CHECK(findings_of(broken).diagnosis == "missing_atomic");
  };
  check(static_cast<unsigned char>(0));
  check(static_cast<unsigned short>(0));
}

TEST_CASE("a memory function by all threads is what the loop would be") {
  CHECK(run(clear_by_all, true, 1, 64).race == "");
  CHECK(run(clear_by_all, true, 1, 64).note == "several threads write the same value to words[0]");
  CHECK(run(clear_by_all, false, 1, 64).race == "two threads write words[0]");
  CHECK(run(copy_by_all, true, 1, 64).race == "");
  CHECK(run(copy_by_all, true, 1, 64).note == "several threads write the same value to words[0]");
}

TEST_CASE("the plain read before a compare-and-swap is a guess") {
  const auto launched = [](bool legal, unsigned& largest) {
    const DeviceArray<unsigned> result(1), values(filled(256, [](unsigned i) { return i * 37 % 256; }));
    const auto findings = findings_of(launch(
        {.grid = 4, .block = 64}, [&] { maximum_by_swap(legal, result.data(), values.data(), nullptr); }));
    largest = result[0];
    return findings;
  };
  unsigned largest = 0;
  const Findings right = launched(true, largest);
  CHECK(right.race == "");
  CHECK(right.note ==
        "a thread reads memory[0] plainly while another changes it atomically; the compare-and-swap that "
        "follows finds out");
  CHECK(largest == 255);
  CHECK(launched(false, largest).race == "one thread reads memory[0] while another changes it atomically");
}

TEST_CASE("a shuffle from a lane that does not take part is noted") {
  const DeviceArray<unsigned> out(32);
  CHECK(findings_of(launch({.grid = 1, .block = 32}, [&] { shuffle_from(3, out.data()); })).note == "");
  CHECK(findings_of(launch({.grid = 1, .block = 32}, [&] { shuffle_from(20, out.data()); })).note ==
        "a shuffle reads from lane 20, which does not take part");
  CHECK(out[0] == 0xdbdbdbdb);
}
