// SPDX-License-Identifier: MIT
// The roofline of a histogram: measured throughput over atomics a byte.
//
// A kernel that reads its input once is no faster than reading (the flat roof), and if the machine makes at
// most R atomics a second, no faster than R / (atomics a byte) (the slanted roof). R is not in a data sheet:
// it is the highest rate at which any lab made atomics so far, on global and on shared memory each. So a
// point on the slant makes atomics as fast as any and is helped by fewer; one below it makes them more slowly
// than another lab can. (Williams, Waterman and Patterson, Roofline, 2009.)
//
// Atomics are counted by the simulator: the profiler counts requests of warps, not lanes. How many there are
// a byte depends on the threads a block and the bytes a thread, and hardly on the length: a short launch with
// both the same stands for a long one.
#pragma once

#include <vector>

#include "measure/ladder.hpp"

namespace report::page {

using measure::Ladder;
using measure::Record;

struct RooflinePoint {
  Record measured;
  double gb_s = 0;
  double atomics_a_byte = 0;
  bool shared = false;  // most of them on shared memory
};

struct Roofline {
  std::string tree, variant_option, variant;
  double read_limit_gb_s = 0;
  double global_rate = 0,
         shared_rate = 0;  // the highest that were reached, in billions of atomics a second; 0: none
  std::vector<RooflinePoint> points;
  std::vector<Record> uncounted;  // measured, but no such launch was counted on the simulator

  bool is_complete() const { return uncounted.empty(); }
};

// One for each tree and variant whose ladder was timed together with the limit of reading.
std::vector<Roofline> rooflines(const std::vector<Ladder>& ladders, const std::vector<Record>& records);

// The command that counts what is missing for a roofline: the same threads a block and bytes a thread, over a
// short input.
std::string counting_command(const Record& measured);

}  // namespace report::page
