// SPDX-License-Identifier: MIT
// What the race checker still finds where it must forget, and how much memory it takes (docs/simulator.md,
// "Limits").
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels.hpp"
#include "launching.hpp"
#include "resident.hpp"
#include "simulator/checkers/race_checker.hpp"
#include "simulator/synchronisation.hpp"

using simulator::Hazard;
using simulator::RaceBounds;

namespace {

// A race checker of its own bounds, and the most memory that the process held at the end of a block.
class Bounded final : public simulator::Observer {
 public:
  explicit Bounded(RaceBounds bounds) : checker_(hazards_, bounds) {}

  void block_begins(const simulator::BlockContext& block) override { checker_.block_begins(block); }
  void access(const simulator::WarpAccess& access) override { checker_.access(access); }
  void block_barrier(std::uint32_t place) override { checker_.block_barrier(place); }
  void warp_barrier(unsigned warp, unsigned lanes, std::uint32_t place) override {
    checker_.warp_barrier(warp, lanes, place);
  }
  void fence(unsigned thread) override { checker_.fence(thread); }
  void block_ends() override {
    if (++blocks_ % 16 == 0) peak_kib_ = std::max(peak_kib_, resident_kib());
  }

  std::vector<Hazard> races() { return hazards_.take(); }
  std::size_t peak_kib() const { return peak_kib_; }

 private:
  simulator::Hazards hazards_;
  simulator::RaceChecker checker_;
  std::size_t blocks_ = 0, peak_kib_ = 0;
};

template <class Program>
std::vector<Hazard> races(RaceBounds bounds, dim3 grid, dim3 block, const Program& program) {
  Bounded bounded(bounds);
  launch({.grid = grid, .block = block, .checks = false, .counters = false, .observers = {&bounded}},
         program);
  return bounded.races();
}

std::uint64_t pairs(const std::vector<Hazard>& found, bool across_blocks) {
  std::uint64_t sum = 0;
  for (const Hazard& hazard : found) {
    if (hazard.kind == facts::Verdict::race && hazard.across_blocks == across_blocks)
      sum += hazard.occurrences;
  }
  return sum;
}

struct Found {
  std::uint64_t between_blocks, within_a_block;
  bool operator==(const Found&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Found& found) {
    return out << found.between_blocks << " between blocks, " << found.within_a_block << " within";
  }
};

Found found(const std::vector<Hazard>& races) { return {pairs(races, true), pairs(races, false)}; }

constexpr RaceBounds usual{};
// Of words that lie close together a block of 256 threads that writes one each takes some 9 KiB.
constexpr RaceBounds thirty_blocks{.remembered_bytes = 30 * 9 * 1024};

constexpr unsigned blocks = 128, threads = 256;

Found found_in_turn(RaceBounds bounds) {
  const DeviceArray<unsigned> out(blocks * threads), far(1), near(1), within(1);
  return found(races(bounds, blocks, threads,
                     [&] { write_in_turn(1, out.data(), far.data(), near.data(), within.data()); }));
}

Found found_between_barriers(RaceBounds bounds) {
  const DeviceArray<unsigned> out(blocks * threads), far(1), within(1);
  return found(races(bounds, 2, threads,
                     [&] { write_between_barriers(blocks, out.data(), far.data(), within.data()); }));
}

Found found_where_all_meet(std::uint64_t meetings, unsigned first_writer) {
  const DeviceArray<unsigned> counter(1), between(1), within(1);
  return found(races({.meetings = meetings}, 8, 64,
                     [&] { meet(first_writer, counter.data(), between.data(), within.data()); }));
}

// The most that is resident while a million words, or every thousandth of them, are written, beyond what was
// before.
std::size_t growth_kib(std::size_t remembered_bytes, unsigned stride) {
  const DeviceArray<unsigned> out(4 << 20), far(1), near(1), within(1);
  Bounded bounded({.remembered_bytes = remembered_bytes});
  const std::size_t before = resident_kib();
  launch({.grid = (4 << 20) / stride / 64,
          .block = 64,
          .checks = false,
          .counters = false,
          .observers = {&bounded}},
         [&] { write_in_turn(stride, out.data(), far.data(), near.data(), within.data()); });
  REQUIRE(before > 0);
  return bounded.peak_kib() - before;
}

// What is found in a launch of a few blocks that do anything, in any order, to the words: mostly additions.
std::vector<std::string> found_in_any_launch(unsigned seed, RaceBounds bounds) {
  using simulator::AccessKind;
  constexpr unsigned warps = 4, word_bytes = 4, words_of_launch = 40;
  const DeviceArray<unsigned> words(words_of_launch);
  std::mt19937 random(seed);
  const auto one_of = [&](unsigned many) { return static_cast<unsigned>(random() % many); };
  const unsigned most_words = 1 + one_of(words_of_launch);
  simulator::Synchronisation::instance().begin_launch();
  Bounded checker(bounds);
  const auto operands = std::make_unique<simulator::Operands>();
  for (unsigned block = 0; block < 4; ++block) {
    simulator::Synchronisation::instance().begin_block(block, warps * 32);
    checker.block_begins({{block, 0, 0}, block, warps * 32, 4});
    for (unsigned n = one_of(24); n > 0; --n) {
      if (one_of(5) == 0) checker.block_barrier(0);
      if (one_of(40) == 0) checker.warp_barrier(one_of(warps), ~0u, 0);
      constexpr std::array likely{AccessKind::atomic_increment,
                                  AccessKind::atomic_increment,
                                  AccessKind::atomic_increment,
                                  AccessKind::load,
                                  AccessKind::load,
                                  AccessKind::store};
      simulator::WarpAccess access{};
      access.kind = likely[one_of(one_of(4) == 0 ? 6 : 5)];
      access.size = one_of(12) == 0                                      ? 2 * word_bytes
                    : access.kind == AccessKind::load && one_of(12) == 0 ? 1
                                                                         : word_bytes;
      access.place = 1 + one_of(12);
      access.warp = one_of(warps);
      access.lanes = one_of(3) == 0 ? static_cast<unsigned>(random()) | 1 : ~0u;
      access.strong = access.kind == AccessKind::atomic_increment;
      access.for_block = access.strong && one_of(12) == 0;
      if (one_of(20) == 0) access.goes_on = access.lanes;
      access.operands = operands.get();
      const bool is_any = one_of(2) != 0;
      for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned word = is_any ? one_of(most_words) : lane % most_words;
        operands->address[lane] = reinterpret_cast<std::uintptr_t>(words.data()) +
                                  std::uintptr_t{word} / 2 * 2 * word_bytes +
                                  (access.size == 2 * word_bytes ? 0 : word % 2 * word_bytes);
        operands->stored[lane].known = false;
      }
      checker.access(access);
    }
  }
  std::vector<std::string> all;
  for (const Hazard& hazard : checker.races()) {
    std::string text = hazard.what + " x" + std::to_string(hazard.occurrences);
    for (const simulator::ThreadLocation& one : hazard.threads)
      text += " " + std::to_string(one.block.x) + ":" + std::to_string(one.thread.x);
    for (const std::uintptr_t site : hazard.sites) text += " @" + std::to_string(site);
    text += hazard.across_blocks ? " blocks" : "";
    text += hazard.within_warp ? " warp" : "";
    text += hazard.read_modify_write ? " update" : "";
    all.push_back(std::move(text));
  }
  return all;
}

}  // namespace

TEST_CASE("the same is found whether words of plain atomics take little memory or as much as others") {
  std::size_t races = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const auto in_full = found_in_any_launch(seed, {.numbers = 0});
    races += in_full.size();
    CAPTURE(seed);
    REQUIRE(found_in_any_launch(seed, usual) == in_full);
    REQUIRE(found_in_any_launch(seed, {.numbers = 3}) == in_full);
  }
  CHECK(races > 300);
}

TEST_CASE(
    "beyond the bound races of distant blocks are missed, those of neighbours and within a block are found") {
  CHECK(found_in_turn(usual) == Found{2, 7});
  CHECK(found_in_turn(thirty_blocks) == Found{1, 7});
}

TEST_CASE(
    "where each block takes more than the bound no race between blocks is found, and those within a block "
    "all are") {
  CHECK(found_in_turn({.remembered_bytes = 0}) == Found{0, 7});
}

TEST_CASE(
    "at a barrier other blocks are forgotten too, and of the interval since the last one nothing is, however "
    "long") {
  const Found all = found_between_barriers(usual);
  CHECK(all.between_blocks == 1);
  CHECK(all.within_a_block > 7);
  CHECK(found_between_barriers(thirty_blocks) == Found{0, all.within_a_block});
}

TEST_CASE(
    "of fenced atomics up to the bound, races between blocks are found; from then on those within a block") {
  CHECK(found_where_all_meet(1 << 21, 2) == Found{5, 1});
  CHECK(found_where_all_meet(8, 2) == Found{5, 1});
  CHECK(found_where_all_meet(4, 2) == Found{1, 1});  // blocks 2 and 3 write before the fifth atomic
  CHECK(found_where_all_meet(4, 4) == Found{0, 1});
}

TEST_CASE("of a race between blocks both are known, however many there were in between") {
  const DeviceArray<unsigned> out(blocks * threads), far(1), near(1), within(1);
  std::vector<std::pair<unsigned, unsigned>> pairs;
  for (const Hazard& race : races(usual, blocks, threads, [&] {
         write_in_turn(1, out.data(), far.data(), near.data(), within.data());
       })) {
    if (race.across_blocks) pairs.emplace_back(race.threads[0].block.x, race.threads[1].block.x);
  }
  std::ranges::sort(pairs);
  CHECK(pairs == std::vector<std::pair<unsigned, unsigned>>{{0, blocks - 1}, {blocks - 2, blocks - 1}});
}

TEST_CASE("after as many barriers and blocks as an access can tell apart no race is found") {
  CHECK(found_in_turn({.intervals = blocks + 1}) == Found{2, 7});
  CHECK(found_in_turn({.intervals = blocks}) == Found{0, 0});
}

TEST_CASE("control: forgetting invents no race") {
  for (const RaceBounds bounds : {usual, RaceBounds{.remembered_bytes = 0}, RaceBounds{.meetings = 0},
                                  RaceBounds{.meetings = 5}, RaceBounds{.intervals = 9}}) {
    const DeviceArray<unsigned> values(blocks), counter(1), sum(1);
    CHECK(races(bounds, blocks, 32, [&] {
            sum_when_all_have_come(values.data(), counter.data(), sum.data());
          }).empty());
    CHECK(sum[0] == blocks * (blocks - 1) / 2);
  }
}

TEST_CASE("memory stays at the bound, whether words lie close together or far apart" *
          doctest::test_suite("long")) {
  constexpr std::size_t mib = 1 << 20, most_kib = 32 * 1024, slack_kib = 24 * 1024;
  CHECK(growth_kib(32 * mib, 4) <= most_kib + slack_kib);
  CHECK(growth_kib(32 * mib, 1024) <= most_kib + slack_kib);
  CHECK(growth_kib(1024 * mib, 4) > 2 * most_kib);
}
