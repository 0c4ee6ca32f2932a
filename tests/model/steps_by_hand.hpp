// SPDX-License-Identifier: MIT
// Steps made by hand, and a device with round numbers, for tests of the timing model whose times can be
// worked out on paper.
#pragma once

#include "model/device.hpp"
#include "model/estimate.hpp"
#include "model/stream.hpp"

namespace by_hand {

inline model::Device round_device() {
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
  device.integer_cycles = 2;
  device.special_read_cycles = 2;
  device.shared_latency = 20;
  device.shared_atomic_latency = 30;
  device.l1_latency = 30;
  device.l2_latency = 200;
  device.dram_latency = 500;
  device.dram_latency_spread = 0;
  device.wavefront_cycles = 1;
  device.dram_bytes_per_cycle = 32;
  device.dram_request_cycles = 1;
  device.turn_cycles = 2;
  device.full_turn_cycles = 1.5;
  device.private_turn_cycles = 0.1;
  device.private_request_cycles = 0;
  device.atomic_miss_cycles = 3;
  device.atomic_request_cycles = 0;
  device.slices_of_lines = {{1, 1}, {4, 2}, {16, 8}};
  device.shuffle_cycles = 1;
  device.redux_cycles = 2;
  device.match_cycles = 4;
  device.match_cycles_of_value = 3;
  device.shuffle_latency = 25;
  device.vote_latency = 10;
  device.redux_latency = 15;
  device.match_latency = 30;
  device.match_latency_of_value = 5;
  device.constant_cycles = 2;
  device.constant_latency = 30;
  device.constant_latency_of_word = 11;
  device.jump_cycles = 15;
  device.jump_latency = 70;
  device.parting_cycles = 20;
  device.cas_round_cycles = 90;
  device.cas_hold_cycles = 40;
  device.long_cas_round_cycles = 110;
  device.barrier_cycles = 12;
  device.barrier_cycles_of_warp = 2;
  device.block_start_cycles = 0;
  device.block_end_cycles = 0;
  device.launch_us = 1;
  device.error = 0.25;
  return device;
}

// One instruction for each step, none for what surrounds it.
constexpr model::InstructionTable plain{.warp = 0,
                                        .access = 1,
                                        .computed = 0,
                                        .arithmetic = 0,
                                        .branch = 0,
                                        .between = 0,
                                        .guarded = 0,
                                        .barrier = 1,
                                        .cas_round = 0,
                                        .error = 0};

constexpr model::Step dram_load{.kind = model::StepKind::global_load, .bytes = 4, .cost = 1, .sectors = 1};
constexpr model::Step increment{.kind = model::StepKind::shared_increment, .cost = 1};
constexpr model::Step end{.kind = model::StepKind::warp_ends};

}  // namespace by_hand
