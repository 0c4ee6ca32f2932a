// SPDX-License-Identifier: MIT
// Threads that write the same value to the same place: a note, no race.
#include <doctest/doctest.h>

#include "kernels.hpp"
#include "launching.hpp"

using simulator::Hazard;
using simulator::LaunchResult;

namespace {

void check_noted(const LaunchResult& result, std::uint64_t occurrences) {
  CHECK(result.hazards.empty());
  REQUIRE(result.notes.size() == 1);
  CHECK(result.notes[0].kind == facts::Verdict::pass);
  CHECK(result.notes[0].what.rfind("several threads write the same value to ", 0) == 0);
  CHECK(result.notes[0].occurrences == occurrences);
}

void check_race(const LaunchResult& result) {
  REQUIRE(result.hazards.size() == 1);
  CHECK(result.hazards[0].kind == facts::Verdict::race);
}

}  // namespace

TEST_CASE("all threads of all blocks raise a flag") {
  const DeviceArray<unsigned> flag(1);
  const LaunchResult result = launch({2, 64}, [&] { raise_flag(flag.data()); });
  check_noted(result, 127);
  REQUIRE(result.notes[0].sites.size() == 2);
  CHECK(lies_in(result.notes[0].sites[0], raise_flag));
  CHECK(flag[0] == 7);
}

TEST_CASE("the same within a warp, another value from another warp") {
  const DeviceArray<unsigned> word(1);
  const LaunchResult result = launch({1, 64}, [&] { write_warp_number(word.data()); });
  check_race(result);
  CHECK(result.hazards[0].occurrences == 1);
  REQUIRE(result.notes.size() == 1);
  CHECK(result.notes[0].occurrences == 62);
}

TEST_CASE("bytes of one word are told apart") {
  const DeviceArray<unsigned char> bytes(4);
  check_noted(launch({1, 64}, [&] { write_bytes_of_a_word(bytes.data()); }), 60);
}

TEST_CASE("all 16 bytes of a store count") {
  const DeviceArray<uint4> words(1);
  const LaunchResult same = launch({1, 64}, [&] { write_four_words(4, words.data()); });
  CHECK(same.hazards.empty());
  std::uint64_t noted = 0;  // the compiler may store 16 bytes at once or one by one
  for (const Hazard& note : same.notes) noted += note.occurrences;
  CHECK(noted == 63 * 4);
  const LaunchResult different = launch({1, 64}, [&] { write_four_words(5, words.data()); });
  check_race(different);
  CHECK(different.hazards[0].occurrences == 2);  // with the thread before, and with the one after
}

TEST_CASE("a read of what others write at the same time is a race, whatever they write") {
  const DeviceArray<unsigned> flag(1), out(64);
  const LaunchResult result = launch({1, 64}, [&] { raise_and_look(flag.data(), out.data()); });
  REQUIRE(!result.hazards.empty());
  for (const Hazard& hazard : result.hazards) CHECK(hazard.kind == facts::Verdict::race);
}

TEST_CASE("the same value, and then another one") {
  const DeviceArray<unsigned> word(1);
  const LaunchResult result = launch({1, 64}, [&] { write_and_take_back(word.data()); });
  check_race(result);
  REQUIRE(result.notes.size() == 1);
}

TEST_CASE("the same from two warps, and another value that only one warp's __syncwarp orders") {
  const DeviceArray<unsigned> word(1);
  check_race(launch({1, 64}, [&] { write_sync_and_take_back(word.data()); }));
  CHECK(launch({1, 32}, [&] { write_sync_and_take_back(word.data()); }).hazards.empty());
}

TEST_CASE("the same from two blocks, and another value that only one block's barrier orders") {
  const DeviceArray<unsigned> word(1);
  check_race(launch({2, 32}, [&] { write_wait_and_take_back(word.data()); }));
  CHECK(launch({1, 32}, [&] { write_wait_and_take_back(word.data()); }).hazards.empty());
}

TEST_CASE("what two blocks have written, the second may read after its barrier") {
  const DeviceArray<unsigned> flag(1), out(32);
  const LaunchResult result = launch({2, 32}, [&] { raise_wait_and_look(flag.data(), out.data()); });
  CHECK(result.hazards.empty());
  CHECK(out.values() == std::vector<unsigned>(32, 7));
}

TEST_CASE("what a copy of more than 16 bytes has left is known") {
  const DeviceArray<Five> in(1), out(1);
  const LaunchResult result = launch({1, 32}, [&] { write_beside_a_copy(in.data(), out.data()); });
  REQUIRE(!result.hazards.empty());
  CHECK(result.hazards[0].kind == facts::Verdict::race);
  CHECK(result.notes.empty());
}
