// SPDX-License-Identifier: MIT
// One multiprocessor in the order of time: its resident blocks' warps issue their steps, wait for what they
// have loaded, queue at L1, at DRAM and at L2's atomics, and meet at barriers. All others are taken to do the
// same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/device.hpp"
#include "model/first_use.hpp"
#include "model/instructions.hpp"
#include "model/stream.hpp"

namespace model {

// What holds a warp up, or keeps a unit busy.
enum class Bound : std::size_t {
  issue,
  l1,
  shared_memory,
  atomics,
  exchanges,
  constants,
  dram,
  waiting,
  barrier,
  launch,
  count
};
constexpr std::array<std::string_view, static_cast<std::size_t>(Bound::count)> bound_names{
    "issue",     "l1",   "shared_memory", "atomics", "exchanges",
    "constants", "dram", "waiting",       "barrier", "launch"};

// A stretch of a warp's steps that is gone through again, `more` times, which may be a fraction.
struct Loop {
  std::size_t begin = 0, end = 0;
  double more = 0;
  double sectors = 1;  // that its loads want in these turns, for each that their steps say
};
// Of each warp of each block.
using Loops = std::vector<std::vector<Loop>>;

struct Setting {
  unsigned blocks = 1;         // that this multiprocessor has to run; those of the stream again and again
  unsigned resident = 1;       // at a time
  double active = 1;           // multiprocessors that run blocks, this one among them
  bool blocks_draw = false;    // their work from a counter: one that is faster has more of it
  double common_slices = 1;    // of L2, that work on the lines that several blocks change
  double own_turn_cycles = 0;  // of all slices together, for a turn on the other lines
  // The part of L2's slices that are busy with atomics on common lines, and on a block's own ones, while
  // there are any to do.
  double common_busy_slices = 0, own_busy_slices = 0;
  double own_miss_cycles = 0;  // the same, for a request with a sector that L2 does not hold
  // Of places whose loads stand in a loop with an unknown number of turns, one in each: for how many turns
  // they are under way at a time. 0: for all of them, because the compiler could count the turns.
  std::array<std::uint8_t, 256> turns_at_a_time{};
  std::array<bool, 256> in_company{};  // places that load together with others, or with themselves
  UsesOfWidths uses = {};              // of loads of global memory, in the code
  std::optional<LoadUse> use_of_shared_load = {};
  unsigned exchanges_at_a_time = 1;  // operations of a warp that are under way at a time
  double special_reads = 0;          // of special registers, for each instruction
};

struct Course {
  double cycles = 0;  // until the last block has ended and the last atomic is done
  double instructions = 0;
  // For how many of these cycles a unit was busy, or the mean warp held up.
  std::array<double, static_cast<std::size_t>(Bound::count)> busy{};
};

// `loops`: empty, or one for each warp of `blocks`.
Course simulate(const std::vector<BlockSteps>& blocks, const Device& device, const Setting& setting,
                const InstructionTable& table = {}, const Loops& loops = {});

}  // namespace model
