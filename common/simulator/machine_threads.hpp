// SPDX-License-Identifier: MIT
// A block's threads and warps during a launch: where each one is, and what it waits for. Internal to the
// simulator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "simulator/cuda/warp.hpp"
#include "simulator/fiber.hpp"
#include "simulator/loop_rounds.hpp"
#include "simulator/model_device.hpp"
#include "simulator/repetition.hpp"

namespace simulator {

// A lane's part in a warp operation: its operands and its result.
struct WarpRequest {
  WarpOperation operation;
  std::uint8_t bytes;  // of the value
  unsigned mask;
  std::uint64_t value;
  int argument, width;
  std::uint64_t result;
};

// The requests of the lanes of a set (a bit each); the others are null.
using LaneRequests = std::array<WarpRequest*, ModelDevice::lanes>;

// Writes the result of every lane in `lanes`, once all lanes of the mask have come. Precondition: their
// operations and masks are equal.
void complete_operation(const LaneRequests& requests, unsigned lanes);

// A compare-and-swap that a thread is about to make; `make` says whether it has found what it expected.
struct PendingSwap {
  bool (*make)(void* operands) = nullptr;
  void* operands = nullptr;
};

// What every turn needs lies in the first line of the processor's cache: a block's threads are too many for
// the nearest one.
struct alignas(64) Thread {
  Fiber fiber;
  std::int64_t steps;  // basic blocks that it has entered, up to its present turn
  // The basic blocks that are left of its turn, where others have run in its midst (Warp::amid_turn). A
  // thread starts with a whole one, and gets a new one when it has given way or waited at a block's barrier,
  // so that a kernel is interleaved in the same way in every launch.
  std::int32_t fuel;
  unsigned depth;  // of calls
  std::uintptr_t
      site;  // where it waits: the address of the call, or of the basic block in which its turn ended
  std::array<std::uint16_t, 3> coordinates;
  std::uint16_t number;  // in the block
  std::uint8_t warp, lane;
  WarpRequest request;
  PendingSwap swap;
  std::uintptr_t watched = 0;     // the word at which it has looked last, see most_looks
  unsigned looks = 0, spins = 0;  // in a row
  unsigned watched_bytes = 0;     // of the word, and what it held then
  std::uint64_t watched_value = 0;
  Repetition repetition = {};  // observed once the block has run long without progress
  LoopRounds rounds = {};      // in lockstep
  // Its last compare-and-swap, if that has not found what it expected: see Machine::note_swap.
  std::uintptr_t failed_swap = 0, site_of_failed_swap = 0;

  uint3 index() const { return {coordinates[0], coordinates[1], coordinates[2]}; }
};
static_assert(offsetof(Thread, warp) == 64);

// A loop of compare-and-swaps in which a warp's lanes are, see machine_swaps.cpp. Sets of lanes, a bit each.
struct SwapLoop {
  std::uintptr_t site = 0;    // of the compare-and-swap
  unsigned members = 0;       // that wait for each other behind the loop
  unsigned failed = 0;        // whose last compare-and-swap has found something else
  bool lets_go_next = false;  // those that wait behind the loop, before the next compare-and-swap
};

// Sets of lanes, a bit each. A live lane is in exactly one of `ready` and the six behind it.
struct Warp {
  unsigned begun = 0;      // those that have had a turn
  unsigned amid_turn = 0;  // those that have stopped in its midst
  unsigned asleep = 0;     // ready, but waiting for a word to change: see most_spins
  unsigned exited = 0;     // at the kernel's end
  unsigned faulted = 0;    // ended for what they did
  unsigned ready = 0;
  unsigned at_barrier = 0;
  unsigned at_operation = 0;
  unsigned at_active_mask = 0;
  unsigned behind_step = 0;  // until those go on that have come to an atomic before them
  unsigned at_swap = 0;      // about to make a compare-and-swap
  unsigned behind_swap = 0;  // until those go on that try theirs again

  unsigned in_step = 0;     // of those at_active_mask: at an atomic whose result they use
  unsigned goes_first = 0;  // those who were

  SwapLoop swap_loop;

  unsigned live() const {
    return ready | at_barrier | at_operation | at_active_mask | behind_step | at_swap | behind_swap;
  }
};

}  // namespace simulator
