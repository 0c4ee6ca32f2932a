// SPDX-License-Identifier: MIT
// What the warps of chosen blocks did, instruction by instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/access.hpp"

namespace simulator {

struct TraceRequest {
  struct Blocks {
    std::uint64_t first, last;
  };
  std::vector<Blocks> blocks;                      // by their numbers, x first
  std::size_t most_bytes = std::size_t{12} << 20;  // see Trace::truncated
};

struct TraceArray {
  std::string name;
  Space space;
  std::size_t bytes;          // 0: not known
  std::size_t element_bytes;  // 0: that of the access
};

// How far from an array's beginning the lanes of an access go, in bytes, the lowest lane first.
struct TraceOffsets {
  std::uint64_t first = 0;  // an arithmetic sequence,
  std::int64_t stride = 0;
  std::vector<std::uint64_t> each;  // unless this holds one for each lane
};

enum class TraceStep : std::uint8_t {
  block_begins,
  load,  // these five in the order of AccessKind
  store,
  atomic,
  compare_and_swap,
  atomic_increment,
  barrier,
  warp_barrier,
  block_ends,
};

struct TraceEvent {
  TraceStep step;
  std::uint64_t block = 0;  // that begins
  unsigned warp = 0;        // of an access or a warp's barrier, with the lanes that take part, a bit each
  unsigned lanes = 0;
  std::uint32_t place = 0;  // of an access or a barrier, in the program
  unsigned size = 0;        // of an access: bytes a lane
  std::size_t array = 0;    // which of the trace's
  TraceOffsets offsets = {};
};

struct Trace {
  std::vector<TraceArray> arrays;  // in the order in which they are first touched
  std::vector<TraceEvent> events;  // one block after another
  bool truncated = false;          // more happened than `most_bytes` hold: 64 an event, 12 a listed offset
};

}  // namespace simulator
