// SPDX-License-Identifier: MIT
// The pieces of the timing model, on steps made by hand and a device with round numbers.
#include "model/multiprocessor.hpp"

#include <doctest/doctest.h>

#include "model/estimate.hpp"
#include "model/stream.hpp"

using model::BlockSteps;
using model::Bound;
using model::Step;
using model::StepKind;

namespace {

model::Device round_device() {
  model::Device device{};
  device.multiprocessors = 10;
  device.clock_mhz = 1000;
  device.schedulers = 1;
  device.threads = 2048;
  device.blocks = 32;
  device.registers = 65536;
  device.shared_bytes = 100 * 1024;
  device.instruction_cycles = 1;
  device.issue_cycles = 1;
  device.shared_latency = 20;
  device.l1_latency = 30;
  device.l2_latency = 200;
  device.dram_latency = 500;
  device.dram_latency_spread = 0;
  device.wavefront_cycles = 1;
  device.dram_bytes_per_cycle = 32;
  device.dram_request_cycles = 1;
  device.turn_cycles = 2;
  device.private_turn_cycles = 0.1;
  device.private_request_cycles = 0;
  device.atomic_request_cycles = 0;
  device.slices_of_lines = {{1, 1}, {4, 2}, {16, 8}};
  device.barrier_cycles = 12;
  device.barrier_cycles_of_warp = 2;
  device.block_start_cycles = 0;
  device.block_end_cycles = 0;
  device.launch_us = 1;
  device.error = 0.25;
  return device;
}

// One instruction for each step, none for what surrounds it.
constexpr model::InstructionTable plain{
    .warp = 0, .access = 1, .computed = 0, .between = 0, .guarded = 0, .barrier = 1};

double cycles_of(std::vector<std::vector<Step>> warps, const model::Setting& setting = {}) {
  const std::vector<BlockSteps> blocks{{std::move(warps)}};
  return simulate(blocks, round_device(), setting, plain).cycles;
}

constexpr Step dram_load{.kind = StepKind::global_load, .cost = 1, .sectors = 1};
constexpr Step increment{.kind = StepKind::shared_increment, .cost = 1};
constexpr Step end{.kind = StepKind::warp_ends};

}  // namespace

TEST_CASE("an atomic takes a turn of its sector for each lane on the fullest word") {
  CHECK(model::sector_turns(std::vector<std::uintptr_t>(32, 4096)) == 32);
  std::vector<std::uintptr_t> row;
  for (unsigned lane = 0; lane < 32; ++lane) row.push_back(4096 + 4 * lane);
  CHECK(model::sector_turns(row) == 4);  // each word once: the four sectors
  CHECK(model::sector_turns({0, 0, 0, 4, 32, 32, 64}) == 3 + 2 + 1);
  CHECK(model::sector_turns({}) == 0);
}

TEST_CASE("steps come back from the bytes that they are packed into") {
  const std::vector<BlockSteps> blocks{{{{dram_load, increment, end}, {end}}},
                                       {{{{.kind = StepKind::global_atomic_common,
                                           .computed = true,
                                           .entered = 255,
                                           .cost = 32,
                                           .sectors = 8}}}}};
  CHECK(model::unpack(model::pack(blocks)) == blocks);
  CHECK_THROWS_AS(model::unpack({1, 0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(model::unpack({static_cast<unsigned char>(StepKind::count), 0, 0, 0}),
                  std::invalid_argument);
  CHECK_THROWS_AS(model::unpack({static_cast<unsigned char>(StepKind::warp_ends), 0, 0, 0}),
                  std::invalid_argument);
}

TEST_CASE("loads before the first use are under way together") {
  // issued at 1, at DRAM until 3 and there at 503; the increment is issued then, and the warp ends one cycle
  // later
  CHECK(cycles_of({{dram_load, increment, end}}) == 505);
  // eight: the last one is issued at 8, and DRAM has served it at 10
  std::vector<Step> eight(8, dram_load);
  eight.insert(eight.end(), {increment, end});
  CHECK(cycles_of({eight}) == 512);
  // one after the other where each is used before the next is loaded
  std::vector<Step> bytewise;
  for (int i = 0; i < 8; ++i) bytewise.insert(bytewise.end(), {dram_load, increment});
  bytewise.push_back(end);
  CHECK(cycles_of({bytewise}) == 8 * 504 + 1);
}

TEST_CASE("a branch between two loads waits for the first") {
  Step after_branch = dram_load;
  after_branch.entered = 2;
  CHECK(cycles_of({{dram_load, after_branch, increment, end}}) == 2 * 503 + 2);
}

TEST_CASE("warps share the scheduler, L1 and DRAM") {
  // two warps: what the second issues comes into the first one's wait
  CHECK(cycles_of({{dram_load, increment, end}, {dram_load, increment, end}}) == 506);
  // a shared atomic of 32 wavefronts: the third begins when the second is done, at 65
  const Step slow{.kind = StepKind::shared_atomic, .cost = 32};
  CHECK(cycles_of({{slow, slow, slow, {.kind = StepKind::shared_load, .cost = 1}, increment, end}}) ==
        1 + 97 + 20 + 2);
}

TEST_CASE("a barrier lets go when the last warp has come") {
  const Step barrier{.kind = StepKind::block_barrier};
  // the other warp comes at 505: its load, and the barrier's instruction
  CHECK(cycles_of({{barrier, end}, {dram_load, barrier, end}}) == 504 + 12 + 2 * 2 + 2);
}

TEST_CASE("atomics on a line that all blocks change wait for those of all multiprocessors") {
  const Step atomic{.kind = StepKind::global_atomic_common, .cost = 32, .sectors = 1};
  CHECK(cycles_of({{atomic, end}}, {.active = 10}) == 1 + 32 * 2 * 10);
  CHECK(cycles_of({{atomic, end}}, {.active = 10, .common_slices = 4}) == 1 + 32 * 2 * 10 / 4);
  const Step own{.kind = StepKind::global_atomic, .cost = 32, .sectors = 1};
  CHECK(cycles_of({{own, end}}, {.active = 10}) == doctest::Approx(1 + 32 * 0.1 * 10));
}

TEST_CASE("blocks that find no place wait until one ends") {
  const std::vector<BlockSteps> blocks{{{{dram_load, increment, end}}}};
  const model::Device device = round_device();
  CHECK(simulate(blocks, device, {.blocks = 2, .resident = 2}, plain).cycles == 506);
  CHECK(simulate(blocks, device, {.blocks = 2, .resident = 1}, plain).cycles == 2 * 505);
}

TEST_CASE("how many blocks a multiprocessor holds") {
  const model::Device device = round_device();
  CHECK(model::resident_blocks(256, 0, device) == 8);
  CHECK(model::resident_blocks(32, 0, device) == 32);          // no more blocks
  CHECK(model::resident_blocks(33, 0, device) == 32);          // two warps each
  CHECK(model::resident_blocks(256, 49 * 1024, device) == 2);  // two times 50 KiB
  CHECK(model::resident_blocks(256, 100 * 1024, device) == 0);
}

TEST_CASE("lines that lie side by side are worked on by several slices") {
  const model::Device device = round_device();
  CHECK(device.slices(1) == 1);
  CHECK(device.slices(4) == 2);
  CHECK(device.slices(8) == doctest::Approx(4));  // half of the way from 4 to 16, by logarithms
  CHECK(device.slices(100) == 8);
}

TEST_CASE("a sample has the launch's work for each thread, up to 64 elements, and fewer blocks") {
  const model::Launch one_each{.grid = 1 << 20, .block = 1024, .work = 1};
  CHECK(model::sample_size(one_each, 1 << 30).grid == 64);
  CHECK(model::sample_size(one_each, 1 << 30).length == 64 * 1024);
  const model::Launch many{.grid = 100, .block = 256, .work = 1000};
  CHECK(model::sample_size(many, 1 << 30).grid == 64);
  CHECK(model::sample_size(many, 1 << 30, 0.5).length == 64 * 256 * 32);
  CHECK(model::sample_size(many, 1000, 0.5).length == 1000);
  CHECK(model::sample_size({.grid = 3, .block = 32, .work = 1000}, 1 << 30).grid == 3);
}

TEST_CASE("what samples leave out is worked out from their difference") {
  // a block's steps: as many increments as elements, of a cycle each
  const auto sample = [](unsigned work) {
    std::vector<Step> steps(work, increment);
    steps.push_back(end);
    return model::Sample{static_cast<double>(work), {.grid = 4, .block = 32, .blocks = {{{steps}}}}};
  };
  const model::Launch launch{.grid = 10, .block = 32, .work = 1000};
  const model::Estimate estimate = model::estimate(launch, {sample(32), sample(64)}, round_device(), plain);
  CHECK(estimate.ms == doctest::Approx((1001 * 1e-3 + 1) * 1e-3));  // and 1 us for the launch
  CHECK(estimate.low == doctest::Approx(estimate.ms / 1.25));
  CHECK(estimate.high == doctest::Approx(estimate.ms * 1.25));
  CHECK(estimate.bound_by.front().what == "issue");
}
