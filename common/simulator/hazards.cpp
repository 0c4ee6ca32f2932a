// SPDX-License-Identifier: MIT
#include "simulator/hazards.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "facts/words.hpp"

namespace simulator {

namespace {

std::string name_of(const ThreadLocation& at) {
  return fmt::format("thread ({},{},{}) of block ({},{},{})", at.thread.x, at.thread.y, at.thread.z,
                     at.block.x, at.block.y, at.block.z);
}

// A race lacks an atomic where threads of different blocks meet or where a value is read, changed and
// written back, else a barrier, which within a warp can be the warp's.
std::string diagnosis_of(const Hazard& hazard) {
  if (hazard.kind != facts::Verdict::race) return {};
  if (hazard.across_blocks || hazard.read_modify_write) return "missing_atomic";
  return hazard.within_warp ? "missing_warp_sync" : "missing_barrier";
}

// Which threads did it, and how often; a line of its own.
std::string threads_of(const Hazard& hazard) {
  if (hazard.threads.empty()) return {};
  std::string text = "\n  " + name_of(hazard.threads.front());
  for (std::size_t i = 1; i < hazard.threads.size(); ++i) text += " and " + name_of(hazard.threads[i]);
  if (hazard.occurrences > 1) {
    const bool of_pairs = hazard.threads.size() > 1;
    text += fmt::format("; {} {}, the first is shown", facts::separated(hazard.occurrences),
                        of_pairs ? "such pairs" : "times");
  }
  return text;
}

}  // namespace

facts::Observation observation_of(const Hazard& hazard, bool of_kernel) {
  facts::Observation observation{hazard.kind,
                                 of_kernel ? hazard.what + threads_of(hazard) : hazard.what,
                                 {hazard.sites.begin(), hazard.sites.end()},
                                 diagnosis_of(hazard),
                                 hazard.roles,
                                 hazard.absent};
  // A host's function has no threads, and of some hazards nobody can say which thread it was.
  if (!of_kernel || hazard.threads.size() != hazard.sites.size()) return observation;
  for (std::size_t i = 0; i < hazard.sites.size(); ++i)
    observation.threads.push_back(
        {hazard.threads[i].block.x, hazard.threads[i].thread.x, std::uint64_t{hazard.sites[i]}});
  return observation;
}

Hazard& Hazards::add(Hazard hazard) {
  const auto same = std::find_if(all_.begin(), all_.end(), [&](const Hazard& known) {
    return known.kind == hazard.kind && known.sites == hazard.sites;
  });
  if (same == all_.end()) return all_.emplace_back(std::move(hazard));
  ++same->occurrences;
  if (hazard.read_modify_write && !same->read_modify_write) {
    same->what = std::move(hazard.what);
    same->threads = std::move(hazard.threads);
    same->roles = std::move(hazard.roles);
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
    if (hazard.kind != facts::Verdict::race) continue;
    hazard.read_modify_write |= std::find_first_of(hazard.sites.begin(), hazard.sites.end(), changing.begin(),
                                                   changing.end()) != hazard.sites.end();
  }
  return std::move(all_);
}

}  // namespace simulator
