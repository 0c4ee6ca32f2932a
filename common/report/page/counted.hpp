// SPDX-License-Identifier: MIT
// What a profiler counted on a GPU, beside what the simulator counts of the same launch.
#pragma once

#include <vector>

#include "report/page/record.hpp"

namespace report::page {

struct Counted {
  Record measured;
  facts::Counters simulated;  // empty: the launch was not simulated
};

// The newest profile of each exercise, tree, input, binning, length and launch. The simulated counters are
// the profile's own, else those of the newest record of the simulator that agrees in all of these.
std::vector<Counted> counted_on_both(const std::vector<Record>& records);

}  // namespace report::page
