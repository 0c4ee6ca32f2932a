// SPDX-License-Identifier: MIT
// Runs a kernel on the simulated device.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "facts/counters.hpp"
#include "facts/launch_shape.hpp"
#include "facts/trace.hpp"
#include "facts/turns.hpp"
#include "simulator/cuda/types.hpp"
#include "simulator/hazards.hpp"

namespace simulator {

class Observer;

constexpr std::int64_t unseen_patience = 8;

struct LaunchConfiguration {
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  bool checks = true;    // look for races and for reads of what was never written
  bool counters = true;  // count requests, sectors and wavefronts
  bool places = false;   // the same for each place in the program
  // A function of the host's, run as one thread: memory that is no array of the device's, nor close to one,
  // is its own.
  bool host_code = false;
  bool own_memory = false;  // of such a function: only what it has allocated is (host_memory.hpp)
  // A block never ends if it has run so many basic blocks without the end of a thread and all its threads
  // that can run repeat themselves (repetition.hpp). One lane alone runs some 4 million a second, a warp 20.
  // Where repetition cannot be seen (nothing is recorded, lockstep), a block never ends if it has run
  // `unseen_patience` times as many without a store or a changing atomic.
  std::int64_t patience = 1 << 23;
  // Numbers that blocks draw from a counter in global memory are dealt out among them (dealt_draws.hpp).
  bool deals_draws = false;
  bool skips_draws = false;  // or most of them are left out (skipped_draws.hpp)
  // The processor's time for the launch; nothing: it may take for ever.
  std::optional<std::chrono::milliseconds> time_limit = {};
  std::optional<facts::TraceRequest> trace = {};  // which blocks are written down
  // Threads go access by access, in an order drawn from this (lockstep.hpp): so that races lose updates. Of
  // the observers only the tracer sees that: there are no counters, and of the checks those of memory and of
  // barriers.
  std::optional<std::uint64_t> lockstep_seed = {};
  // In lockstep: who of them is preferred, and when the launch is given up; nothing: all are alike.
  std::optional<facts::Turns> lockstep_turns = {};
  // What a shuffle gives whose source does not take part, which is not defined: the lane's own value, or one
  // that no lane has.
  bool absent_lanes_echo = false;
  bool wide_accesses = false;  // note those to shared arrays, see checkers/wide_accesses.hpp
  // In lockstep: the thread whose access is next, each by its number in the grid (that of its block times the
  // block's threads, and its own). A number whose thread has no access to make is passed over. When the list
  // is used up the thread of the lowest number goes on as far as it can. Empty: the seed decides.
  std::vector<std::uint64_t> lockstep_order = {};
  // The blocks that run, by their numbers in the grid; empty: all. (Not in lockstep.)
  std::vector<std::uint64_t> blocks = {};
  std::vector<Observer*> observers = {};  // told of all events too
  bool values = false;                    // and of what accesses find in memory and leave there
};

using facts::ThreadProgram;

// The block that is running.
struct BlockContext {
  uint3 index;
  std::uint64_t number;  // counted through the grid, x first
  dim3 extent, grid;
};

struct LaunchResult {
  // Set if the device refuses the launch, as CUDA would, in CUDA's words; nothing ran then.
  std::optional<std::string> refused;
  bool given_up = false;  // in lockstep: it made more steps than it may; else: an observer had enough
  std::vector<Hazard> hazards, notes;   // the latter: what is worth knowing and not wrong
  std::size_t static_shared_bytes = 0;  // of a block, of the `__shared__` arrays that it has come to
  facts::Counters counters;             // known: counted_by() the launch
  // By place in the program, an offset from its load address; what is counted by accesses alone. Empty unless
  // asked for.
  std::map<std::uint32_t, facts::Counters> places;
  std::optional<facts::Trace> trace;  // if it was asked for
};

// The counters that a launch counts, each 0.
facts::Counters counted_by(const LaunchConfiguration& configuration);

// Runs every thread of the grid, block after block. All blocks see the same memory; shared memory is poisoned
// before each block, as a GPU does not clear it either. Not reentrant: one launch at a time.
LaunchResult launch(const LaunchConfiguration& configuration, ThreadProgram program);

// For an observer of the launch that runs: it is given up.
void give_up_launch();

}  // namespace simulator
