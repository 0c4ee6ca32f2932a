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
#include "simulator/cuda/types.hpp"
#include "simulator/trace.hpp"

namespace simulator {

class Observer;

struct LaunchConfiguration {
  dim3 grid, block;
  std::size_t dynamic_shared_bytes = 0;
  bool checks = true;    // look for races and for reads of what was never written
  bool counters = true;  // count requests, sectors and wavefronts
  bool places = false;   // the same for each place in the program
  // A function of the host's, run as one thread: memory that is no array of the device's, nor close to one,
  // is its own.
  bool host_code = false;
  // Basic blocks that a block may run without a store, a changing atomic or the end of a thread until it is
  // taken to wait for what never comes; a second takes 20 million.
  std::int64_t patience = 1 << 26;
  std::optional<std::chrono::milliseconds> time_limit = {};  // for the launch; nothing: it may take for ever
  std::optional<TraceRequest> trace = {};                    // which blocks are written down
  // Threads go access by access, in an order drawn from this (lockstep.hpp): so that races lose updates. No
  // observer sees that: there are no counters, no trace, and of the checks those of memory and of barriers.
  std::optional<std::uint64_t> lockstep_seed = {};
  Observer* observer = nullptr;  // told of all events too, if there is one
};

// What one thread of the grid does: the kernel, applied to its arguments.
struct ThreadProgram {
  void (*run)(const void* arguments);
  const void* arguments;
};

// The block that is running.
struct BlockContext {
  uint3 index;
  std::uint64_t number;  // counted through the grid, x first
  dim3 extent, grid;
};

struct ThreadLocation {
  uint3 thread, block;
};

enum class HazardKind {
  out_of_bounds,
  uninitialised,
  divergent_barrier,
  race,
  same_value,    // no hazard but worth a note: a race of writes that all leave the same
  trap,          // the kernel ends the launch: a failed assertion, __trap(), what a processor cannot do
  beyond_limit,  // more than the simulated device has, or something that it does not do
  endless,       // the kernel still runs when the time that it has is over
};

// Something that the kernel must not do. Several of one kind at the same places are one hazard with their
// number.
struct Hazard {
  HazardKind kind;
  std::string what;                     // one sentence, in the names of the kernel's arrays
  std::vector<ThreadLocation> threads;  // the first thread that did it; of a race, both
  std::vector<std::uintptr_t>
      sites;  // the places in the program that explain it, as offsets from its load address
  std::uint64_t occurrences = 1;
  // Of a race: what it lacks.
  bool across_blocks = false;      // the threads are of different blocks
  bool within_warp = false;        // every pair so far lies in one warp
  bool read_modify_write = false;  // a thread reads, changes and writes what another thread writes
};

struct LaunchResult {
  // Set if the device refuses the launch, as CUDA would, in CUDA's words; nothing ran then.
  std::optional<std::string> refused;
  std::vector<Hazard> hazards, notes;  // the latter: same_value
  facts::Counters counters;            // known: counted_by() the launch
  // By place in the program, an offset from its load address; what is counted by accesses alone. Empty unless
  // asked for.
  std::map<std::uint32_t, facts::Counters> places;
  std::optional<Trace> trace;  // if it was asked for
};

// The counters that a launch counts, each 0.
facts::Counters counted_by(const LaunchConfiguration& configuration);

// Runs every thread of the grid, block after block. All blocks see the same memory; shared memory is poisoned
// before each block, as a GPU does not clear it either. Not reentrant: one launch at a time.
LaunchResult launch(const LaunchConfiguration& configuration, ThreadProgram program);

}  // namespace simulator
