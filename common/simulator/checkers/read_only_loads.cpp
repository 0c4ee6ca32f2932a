// SPDX-License-Identifier: MIT
#include "simulator/checkers/read_only_loads.hpp"

#include <fmt/core.h>

#include "simulator/checkers/race_checker.hpp"
#include "simulator/memory_map.hpp"
#include "simulator/program_image.hpp"

namespace simulator {

namespace {

// What a launch reads so of arrays that it may write is seldom more than a few tables.
constexpr std::size_t most_noted = 1 << 16;

}  // namespace

void ReadOnlyLoads::note(std::uintptr_t address, std::size_t bytes, std::uintptr_t site,
                         const ThreadLocation& thread) {
  if (loads_.size() == most_noted || !known_.insert(address).second) return;
  loads_.push_back({address, bytes, site, thread});
}

void ReadOnlyLoads::report(RaceChecker& races, Hazards& hazards) const {
  const ProgramImage& program = ProgramImage::instance();
  for (const Load& load : loads_) {
    if (!races.has_changed(load.address, load.bytes)) continue;
    const ProgramImage::Function* const function = program.function_at(load.site);
    hazards.add({.kind = facts::Verdict::out_of_bounds,
                 .what = fmt::format(
                     "{} read {} by __ldg, which is only for memory that nobody changes during the launch",
                     function ? function->name() : "the kernel", name_of_element(load.address, load.bytes)),
                 .threads = {load.thread},
                 .sites = {program.place_of(load.site)},
                 .roles = {"reads"}});
  }
}

}  // namespace simulator
