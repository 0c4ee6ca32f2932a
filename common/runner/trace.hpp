// SPDX-License-Identifier: MIT
// What a runner tells of the instructions that the warps of chosen blocks have run. (docs/trace.md describes
// the file that becomes of it.)
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct TraceRequest {
  struct Blocks {
    std::uint64_t first, last;
  };
  std::vector<Blocks> blocks;
};

struct TraceArray {
  std::string name;
  bool shared = false;
  std::uint64_t bytes = 0;          // 0: not known
  std::uint64_t element_bytes = 0;  // 0: that of the access
};

// An index into this says what an event is.
constexpr std::array<std::string_view, 9> trace_steps{
    "begin",   "load",         "store", "atomic", "compare_and_swap", "atomic_increment",
    "barrier", "warp_barrier", "end"};

struct TraceEvent {
  unsigned step = 0;
  std::uint64_t block = 0;       // that begins
  unsigned warp = 0, lanes = 0;  // of an access or a warp's barrier; the lanes that take part, a bit each
  std::uint64_t place = 0;       // of an access or a barrier: an offset that addr2line understands
  unsigned size = 0;             // of an access: bytes a lane
  std::uint64_t array = 0;       // of an access: which of the trace's
  std::uint64_t first = 0;       // of an access: how far from the array's beginning each lane goes, in bytes:
  std::int64_t stride = 0;       // an arithmetic sequence,
  std::vector<std::uint64_t> each;  // unless this holds a number for each lane that takes part

  std::string_view name() const { return trace_steps[step]; }
  bool is_access() const { return size > 0; }
  bool has_warp() const { return lanes > 0; }
};

struct Trace {
  std::vector<TraceArray> arrays;
  std::vector<TraceEvent> events;  // one block after another, each from "begin" to "end"
  bool truncated = false;          // there was more
};

}  // namespace runner
