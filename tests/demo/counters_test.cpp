// SPDX-License-Identifier: MIT
// What demonstrations count is what the simulator's counters say of the same run.
#include <doctest/doctest.h>

#include <algorithm>

#include "made.hpp"
#include "measure/ncu/bound.hpp"

using demo::Demonstration;

namespace {

// The cell with this label in the last frame of a scene.
std::string figure_at_end(const Demonstration& demonstration, std::size_t scene, const std::string& label) {
  const demo::Frame& end = demonstration.frames.at(demonstration.scenes.at(scene).frames.back());
  for (const demo::Panel& panel : end.panels) {
    for (const demo::Cell& cell : panel.cells) {
      if (cell.label == label) return cell.text;
    }
  }
  FAIL("there is no figure ", label);
  return {};
}

std::string counted(const Demonstration& demonstration, std::size_t scene, std::string_view counter) {
  const std::size_t run = demonstration.frames.at(demonstration.scenes.at(scene).frames.back()).run;
  return std::to_string(demonstration.runs.at(run).counters.value(counter));
}

}  // namespace

TEST_CASE("requests and sectors of partition are those of the simulator's counters") {
  const Demonstration& partition = made("partition");
  REQUIRE(partition.scenes.size() == 2);
  for (std::size_t scene = 0; scene < 2; ++scene) {
    CAPTURE(partition.scenes[scene].title);
    CHECK(figure_at_end(partition, scene, "requests") == counted(partition, scene, "global_load_requests"));
    CHECK(figure_at_end(partition, scene, "sectors") == counted(partition, scene, "global_load_sectors"));
    // 128 bytes are one line of four sectors, each fetched once.
    CHECK(figure_at_end(partition, scene, "from L2") == "4");
  }
  CHECK(figure_at_end(partition, 0, "sectors") == "64");
  CHECK(figure_at_end(partition, 0, "from L1") == "60");
  CHECK(figure_at_end(partition, 1, "sectors") == "16");
  CHECK(figure_at_end(partition, 1, "from L1") == "12");
}

TEST_CASE("turns of banks are the wavefronts of the simulator's counters") {
  const Demonstration& banks = made("banks");
  REQUIRE(banks.scenes.size() == 3);
  for (std::size_t scene = 0; scene < 3; ++scene) {
    CAPTURE(banks.scenes[scene].title);
    CHECK(figure_at_end(banks, scene, "turns of atomics so far") ==
          counted(banks, scene, "shared_atomic_wavefronts"));
  }
  // Two warps: increments of few counters are merged, of many meet in a bank, and additions wait.
  CHECK(figure_at_end(banks, 0, "turns of atomics so far") == "2");
  CHECK(figure_at_end(banks, 1, "turns of atomics so far") == "4");
}

TEST_CASE("a bound is the busiest unit, and below 60 % the longest wait") {
  using measure::bound_of;
  const auto busy =
      bound_of({{"dram_share", 20}, {"l1_share", 96}, {"issue_share", 85}, {"stall_barrier", 3}});
  REQUIRE(busy);
  CHECK(busy->figure == "l1_share");
  CHECK(busy->value == 96);
  CHECK(busy->is_share);
  const auto waits = bound_of({{"l1_share", 59.9}, {"stall_long_scoreboard", 4}, {"stall_barrier", 3}});
  REQUIRE(waits);
  CHECK(waits->figure == "stall_long_scoreboard");
  CHECK_FALSE(waits->is_share);
  CHECK(bound_of({{"l1_share", 60}, {"stall_barrier", 3}})->figure == "l1_share");
  CHECK_FALSE(bound_of({{"dram_bytes", 1}}));
}

TEST_CASE("the ladder names each lab's bound, from the profiles in docs/records") {
  const Demonstration& ladder = made("ladder");
  REQUIRE(ladder.scenes.size() == 2);
  const std::vector<std::size_t>& frames = ladder.scenes[1].frames;
  const auto is_there = [&](const std::string& caption) {
    return std::ranges::any_of(frames, [&](std::size_t frame) {
      return ladder.frames.at(frame).caption.find(caption) != caption.npos;
    });
  };
  CHECK(is_there("02"));
  CHECK(is_there("warps wait for global memory (stall_long_scoreboard: "));
  CHECK(is_there("L1 and shared memory are busy (l1_share: 96 %)"));
  CHECK(is_there("the schedulers issue instructions (issue_share: 83 %)"));
  // Nothing is given away before it was asked.
  for (const demo::Cell& cell : ladder.frames.at(frames.front()).panels.at(0).cells)
    CHECK(cell.text.find('%') == std::string::npos);
}
