// SPDX-License-Identifier: MIT
// Which threads and how many pairs of them a race is told by; and __ldg, which is for what nobody changes.
#include <doctest/doctest.h>

#include "kernels.hpp"
#include "launching.hpp"

using simulator::Hazard;
using simulator::LaunchResult;

TEST_CASE("an access of two words that clashes with another one is one pair") {
  const DeviceArray<uint2> words(128);
  const LaunchResult result = launch({1, 256}, [&] { write_two_words_in_pairs(words.data()); });
  REQUIRE(result.hazards.size() == 1);
  CHECK(result.hazards[0].kind == facts::Verdict::race);
  CHECK(result.hazards[0].occurrences == 128);
}

TEST_CASE("of lanes that load from one word together another one is told than the thread that writes it") {
  for (const auto kernel : {write_what_all_read, read_what_one_writes}) {
    const DeviceArray<unsigned char> word(1);
    const DeviceArray<unsigned> out(32);
    const LaunchResult result = launch({1, 32}, [&] { kernel(word.data(), out.data()); });
    REQUIRE(result.hazards.size() == 1);
    const Hazard& race = result.hazards[0];
    CHECK(race.kind == facts::Verdict::race);
    REQUIRE(race.threads.size() == 2);
    CHECK(race.threads[0].thread.x + race.threads[1].thread.x == 1);
  }
}

namespace {

void check_read_by_ldg(const LaunchResult& result, std::uint64_t times, std::string_view element) {
  REQUIRE(result.hazards.size() == 1);
  const Hazard& hazard = result.hazards[0];
  CHECK(hazard.kind == facts::Verdict::out_of_bounds);
  CAPTURE(hazard.what);
  CHECK(hazard.what.find(" read " + std::string(element) +
                         " by __ldg, which is only for memory that nobody changes during the launch") !=
        std::string::npos);
  CHECK(hazard.occurrences == times);
}

}  // namespace

TEST_CASE("what a launch has written is not to be read by __ldg, whatever barrier stands between") {
  const DeviceArray<unsigned> in(64), words(64), out(64);
  const auto run = [&](bool legal) {
    return launch({1, 64}, [&] { read_twice_by_ldg(legal, in.data(), words.data(), out.data()); });
  };
  check_read_by_ldg(run(false), 64, "memory[0]");
  CHECK(run(true).hazards.empty());
}

TEST_CASE("nor what it changes later") {
  const DeviceArray<unsigned> words(64), out(64);
  const auto run = [&](bool legal) {
    return launch({1, 64}, [&] { change_behind_ldg(legal, words.data(), out.data()); });
  };
  check_read_by_ldg(run(false), 1, "memory[28]");
  CHECK(run(true).hazards.empty());
}

TEST_CASE("other loads with a cache hint find what the block has written") {
  const DeviceArray<unsigned> words(64), out(64);
  CHECK(launch({1, 64}, [&] { read_coherently(words.data(), out.data()); }).hazards.empty());
}
