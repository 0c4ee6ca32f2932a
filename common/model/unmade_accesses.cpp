// SPDX-License-Identifier: MIT
#include "model/unmade_accesses.hpp"

#include <algorithm>
#include <cstddef>

namespace model {

namespace {

// What a warp does from one barrier to the next.
struct Interval {
  std::size_t barrier = 0;  // the number of its step
  unsigned accesses = 0;
  double instructions = 0;
};

std::vector<Interval> intervals_of(const WarpSteps& steps, const InstructionTable& table) {
  std::vector<Interval> intervals;
  Interval interval;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    interval.instructions += instructions(steps[i], table);
    if (steps[i].kind == StepKind::block_barrier) {
      interval.barrier = i;
      intervals.push_back(interval);
      interval = {};
    } else {
      interval.accesses += steps[i].place != 0;
    }
  }
  return intervals;
}

// Calls `function(warp, its interval, the one of most accesses)` for intervals with fewer.
template <class Function>
void for_each_with_fewer(const BlockSteps& block, const InstructionTable& table, Function function) {
  std::vector<std::vector<Interval>> of_warps;
  for (const WarpSteps& warp : block.warps) {
    of_warps.push_back(intervals_of(warp, table));
    if (of_warps.back().size() != of_warps.front().size()) return;
  }
  for (std::size_t i = 0; !of_warps.empty() && i < of_warps.front().size(); ++i) {
    const auto most = std::ranges::max_element(
        of_warps, {}, [i](const std::vector<Interval>& all) { return all[i].accesses; });
    for (std::size_t w = 0; w < of_warps.size(); ++w) {
      if (of_warps[w][i].accesses < (*most)[i].accesses) function(w, of_warps[w][i], (*most)[i]);
    }
  }
}

}  // namespace

std::vector<Sample> with_unmade_accesses(std::vector<Sample> samples, double unmade,
                                         const InstructionTable& table) {
  if (unmade <= 0 || samples.empty()) return samples;
  double fewer = 0, warps = 0;
  for (const BlockSteps& block : samples.back().stream.blocks) {
    warps += static_cast<double>(block.warps.size());
    for_each_with_fewer(block, table, [&](std::size_t, const Interval& own, const Interval& most) {
      fewer += most.accesses - own.accesses;
    });
  }
  if (fewer == 0) return samples;
  const double part = std::min(1.0, unmade * warps / fewer);
  for (Sample& sample : samples) {
    for (BlockSteps& block : sample.stream.blocks) {
      for_each_with_fewer(block, table, [&](std::size_t w, const Interval& own, const Interval& most) {
        Step& barrier = block.warps[w][own.barrier];
        barrier.unmade_accesses = static_cast<float>(part * (most.accesses - own.accesses));
        barrier.unmade = static_cast<float>(part * std::max(0.0, most.instructions - own.instructions));
      });
    }
  }
  return samples;
}

}  // namespace model
