// SPDX-License-Identifier: MIT
// A GPU as the timing model knows it: one file each in devices/, read here. Cycles are those of a
// multiprocessor.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace model {

struct Device {
  std::string id, name;     // "h200", "NVIDIA H200"
  bool calibrated = false;  // its numbers were measured on one by calibrate/, not taken from data sheets
  double capability;        // compute capability, such as 9.0
  double multiprocessors, clock_mhz, schedulers;
  // What one multiprocessor holds at a time.
  double threads, blocks, registers, shared_bytes;
  // From one instruction of a warp to its next, half of which wait for the one before: where nobody knows the
  // code. Where it is known it says so itself, but for a branch and for what is read of a special register.
  double instruction_cycles, branch_cycles, special_register_cycles;
  double special_read_cycles;  // that such a read keeps the ADU busy
  double issue_cycles;         // of a scheduler, for an instruction of whatever warp
  // The same for additions, comparisons, logic and shifts of integers, and for votes, which go through one of
  // its pipes.
  double integer_cycles;
  double shared_latency, shared_atomic_latency, l1_latency, l2_latency;
  // A load from DRAM takes the latency and a random time with an exponential distribution beside it.
  double dram_latency, dram_latency_spread;
  double dram_queue_cycles;       // so many times p / (1 - p) more, while DRAM is busy for a part p
  double wavefront_cycles;        // of L1 and shared memory, for each
  double dram_bytes_per_cycle;    // a multiprocessor's share
  double dram_request_cycles;     // of it, for a piece of 64 bytes of which one sector is wanted
  double turn_cycles;             // an L2 slice's, for a sector turn of an atomic
  double full_turn_cycles;        // the same, for one that changes all words of the sector
  double private_turn_cycles;     // all slices' together, where each block has lines of its own
  double private_request_cycles;  // the same, for each request
  double atomic_miss_cycles;  // the same, for a request with a sector that L2 does not hold, if all are such
  double atomic_request_cycles;  // a multiprocessor's, to send a global atomic
  // How many slices work at a time on so many neighbouring lines: pairs of both, ascending.
  std::vector<std::pair<double, double>> slices_of_lines;
  // Of a multiprocessor's unit for a shuffle, a redux, and a match with one different value and with each
  // further one; and until what they give can be used.
  double shuffle_cycles, redux_cycles, match_cycles, match_cycles_of_value;
  double shuffle_latency, vote_latency, redux_latency, match_latency, match_latency_of_value;
  // Of constant memory, for each different address from which lanes of a warp load; until what the first one
  // has can be used, and for each further one.
  double constant_cycles, constant_latency, constant_latency_of_word;
  // Of a loop of compare-and-swaps in shared memory: from one round of a warp to its next, with words of 32
  // and of 64 bits, and from its load to the change.
  double cas_round_cycles, long_cas_round_cycles, cas_hold_cycles;
  // Of a jump through a table: cycles of the scheduler, and until the warp goes on, for each way that its
  // lanes go; and of the scheduler for each time that lanes part in such a switch.
  double jump_cycles, jump_latency, parting_cycles;
  double barrier_cycles, barrier_cycles_of_warp;
  double block_start_cycles;  // from the start of a block on a multiprocessor to the next one there
  double block_end_cycles;    // until the place of a block is free for the next
  double launch_us;           // of an empty kernel
  double error;               // of an estimate, as a part of it: that of nine in ten

  double slices(double lines) const;
  // For a turn of an atomic on so many pieces of memory that lie in slices at random, all slices together.
  double own_turn_cycles(double pieces) const;
  double us(double cycles) const { return cycles / clock_mhz; }
};

// The devices there are, by their files' names: "a100, h200, …".
std::vector<std::string> device_ids(const std::string& folder);

// Throws facts::UsageError, which names those there are, for an unknown one; std::runtime_error, which names
// the file and the key, for a file that lacks a number.
Device read_device(const std::string& folder, const std::string& id);

}  // namespace model
