// SPDX-License-Identifier: MIT
// A trace: the instructions that the warps of chosen blocks have run, one by one. (docs/trace.md describes
// the file that is made of it.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace facts {

struct TraceRequest {
  struct Blocks {
    std::uint64_t first, last;
  };
  std::vector<Blocks> blocks;                      // by their numbers, x first
  bool values = false;                             // what accesses find and leave, too
  std::optional<std::size_t> most_events = {};     // without it only most_bytes limits a trace
  std::size_t most_bytes = std::size_t{12} << 20;  // see Trace::truncated
};

struct TraceArray {
  std::string name;
  bool shared = false;              // in shared memory; else in global memory
  std::uint64_t bytes = 0;          // 0: not known
  std::uint64_t element_bytes = 0;  // 0: that of the access
};

enum class TraceStep : std::uint8_t {
  block_begins,
  load,
  store,
  atomic,
  compare_and_swap,
  atomic_increment,
  barrier,
  warp_barrier,
  block_ends,
};

struct TraceStepRow {
  TraceStep step;
  std::string_view name;
  bool is_access = false;  // has a size, an array and the lanes that take part
  bool has_lanes = is_access;
};

inline constexpr std::array trace_steps{
    TraceStepRow{TraceStep::block_begins, "begin"},
    TraceStepRow{TraceStep::load, "load", true},
    TraceStepRow{TraceStep::store, "store", true},
    TraceStepRow{TraceStep::atomic, "atomic", true},
    TraceStepRow{TraceStep::compare_and_swap, "compare_and_swap", true},
    TraceStepRow{TraceStep::atomic_increment, "atomic_increment", true},
    TraceStepRow{TraceStep::barrier, "barrier"},
    TraceStepRow{TraceStep::warp_barrier, "warp_barrier", false, true},
    TraceStepRow{TraceStep::block_ends, "end"},
};

constexpr const TraceStepRow& row_of(TraceStep step) { return trace_steps[static_cast<std::size_t>(step)]; }

static_assert([] {
  for (std::size_t i = 0; i < trace_steps.size(); ++i) {
    if (trace_steps[i].step != static_cast<TraceStep>(i)) return false;
  }
  return true;
}());

constexpr std::optional<TraceStep> find_trace_step(std::string_view name) {
  for (const TraceStepRow& row : trace_steps) {
    if (row.name == name) return row.step;
  }
  return std::nullopt;
}

struct TraceEvent {
  TraceStep step = TraceStep::block_begins;
  std::uint64_t block = 0;  // that begins; if blocks take turns, the one that the event belongs to
  unsigned warp = 0;        // of an access or a warp's barrier, with the lanes that take part, a bit each
  unsigned lanes = 0;
  std::uint64_t place = 0;  // of an access or a barrier: an offset in the program that addr2line understands
  unsigned size = 0;        // of an access: bytes per lane
  std::uint64_t array = 0;  // of an access: an index into the trace's arrays
  // How far from the array's beginning each lane's access is, in bytes, the lowest lane first:
  std::uint64_t first = 0;  // an arithmetic sequence,
  std::int64_t stride = 0;
  std::vector<std::uint64_t> each = {};  // unless this holds a number for each lane
  // If values were asked for, and the access has at most 8 bytes, of each lane: what a load or an atomic has
  // found in memory, and what a store or an atomic has left there.
  std::vector<std::uint64_t> read = {}, written = {};

  std::string_view name() const { return row_of(step).name; }
  bool is_access() const { return row_of(step).is_access; }
  bool has_warp() const { return row_of(step).has_lanes; }
};

struct Trace {
  std::vector<TraceArray> arrays;  // in the order in which they are first touched
  std::vector<TraceEvent> events;  // one block after another, each from block_begins to block_ends
  // More happened than `most_events`, or than `most_bytes` hold: 64 per event, 12 per listed offset or value.
  bool truncated = false;
  bool interleaved = false;  // a run in lockstep: blocks take turns, and an access is one lane's
};

}  // namespace facts
