// SPDX-License-Identifier: MIT
// Sweeps among the records: exercises over a range of one thing.
#pragma once

#include <vector>

#include "report/page/record.hpp"

namespace report::page {

struct Curve {
  std::vector<Record> points;  // of one exercise that passed, in ascending order of what is swept
};

struct Sweep {
  std::vector<Curve> curves;  // at least one, in the order in which the exercises were first swept
  bool timed = false;         // on a GPU; else counted on the simulator

  const Record& first() const { return curves.front().points.front(); }
  const std::string& name() const { return first().sweep; }
};

// What is swept with the same tree, input, binning and length belongs together; of each exercise the newest
// run.
std::vector<Sweep> sweeps(const std::vector<Record>& records);

// What a sweep on the simulator shows of a point: for `contention` the turns that a warp's shared atomics
// take on average, else global atomics a byte.
double counted_of(const Record& point);

}  // namespace report::page
