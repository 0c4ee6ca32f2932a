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
  if (hazard.read_modify_write && !same->read_modify_write) {
    same->what = std::move(hazard.what);
    same->threads = std::move(hazard.threads);
  }
  same->across_blocks |= hazard.across_blocks;
  same->within_warp &= hazard.within_warp;
  same->read_modify_write |= hazard.read_modify_write;
  return *same;
}

// Two threads that change a word without an atomic also read what the other writes: that is one defect, and
// what says most comes first.
std::vector<Hazard> Hazards::take() {
  std::stable_partition(all_.begin(), all_.end(),
                        [](const Hazard& hazard) { return hazard.read_modify_write; });
  std::vector<std::uintptr_t> changing;
  for (const Hazard& hazard : all_) {
    if (hazard.read_modify_write) changing.insert(changing.end(), hazard.sites.begin(), hazard.sites.end());
  }
  for (Hazard& hazard : all_) {
    if (hazard.kind != HazardKind::race) continue;
    hazard.read_modify_write |= std::find_first_of(hazard.sites.begin(), hazard.sites.end(), changing.begin(),
                                                   changing.end()) != hazard.sites.end();
  }
  return std::move(all_);
}

}  // namespace simulator
