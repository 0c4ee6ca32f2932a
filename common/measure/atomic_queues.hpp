// SPDX-License-Identifier: MIT
// How long atomics wait for each other: each thread of one block adds once, all at the same time, to one word
// or to many, in global or in shared memory. model/calibrate/atomic_queues.cuh measures it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workbook/workbook.hpp"

namespace measure {

struct AtomicQueue {
  bool shared = false;                        // in shared memory, else in global
  unsigned warps = 0, active = 0, words = 0;  // active: the lanes of each warp that add
  unsigned word_stride = 1;                   // from one word to the next, in words
  // Of each warp, in cycles after the first was sent: when its atomic was sent, and when its results were
  // there.
  std::vector<std::uint64_t> sent, answered;

  std::uint64_t last_answer() const;
};

struct AtomicQueues {
  std::string gpu;
  double clock_mhz = 0;
  std::string origin;  // "measured here", or the file that holds them
  std::vector<AtomicQueue> queues;

  // Null where it was not measured.
  const AtomicQueue* find(bool shared, unsigned warps, unsigned active, unsigned words,
                          unsigned word_stride = 1) const;
};

// What the program printed: of its lines, those of such queues. Throws nlohmann::json::exception for text
// that it does not print.
AtomicQueues read_atomic_queues(const std::string& text, std::string origin);

// Measured on the GPU at hand, which takes seconds; without one those that docs/records holds. Throws
// MachineError where there are none, or measuring fails.
AtomicQueues atomic_queues(const workbook::Workbook& workbook);

}  // namespace measure
