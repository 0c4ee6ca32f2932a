// SPDX-License-Identifier: MIT
// What the race checker still finds where it must forget, and how much memory it takes (docs/simulator.md,
// "Limits").
#include <doctest/doctest.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "kernels.hpp"
#include "launching.hpp"
#include "resident.hpp"
#include "simulator/checkers/race_checker.hpp"

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

}  // namespace

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
