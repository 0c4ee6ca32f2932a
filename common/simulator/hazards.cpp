// SPDX-License-Identifier: MIT
#include "simulator/hazards.hpp"

#include <algorithm>

namespace simulator {

Hazard& Hazards::add(Hazard hazard) {
  const auto same = std::find_if(all_.begin(), all_.end(), [&](const Hazard& known) {
    return known.kind == hazard.kind && known.sites == hazard.sites;
  });
  if (same == all_.end()) return all_.emplace_back(std::move(hazard));
  ++same->occurrences;
  same->across_blocks |= hazard.across_blocks;
  same->within_warp &= hazard.within_warp;
  same->read_modify_write |= hazard.read_modify_write;
  return *same;
}

}  // namespace simulator
