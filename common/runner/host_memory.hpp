// SPDX-License-Identifier: MIT
// A run's two buffers in memory that the host can touch: for the simulator and for exercises that run on the
// CPU.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/histogram/input.hpp"
#include "runner/guard.hpp"

namespace runner {

// Fills both buffers: the input between its guard zones, the histogram's counters zero between theirs.
void fill(const RunLayouts& layouts, const histogram::Input& input, std::span<unsigned char> data,
          std::span<unsigned char> histo);

// Sets the counters to zero and the guard zones to their pattern again.
void clear_histogram(const GuardedLayout& layout, std::span<unsigned char> histo);

// Adds to the answer what the run left behind: the bins, and what was written outside.
void collect(const RunLayouts& layouts, int bins, std::span<const unsigned char> data,
             std::span<const unsigned char> histo, RunAnswer& answer);

}  // namespace runner
