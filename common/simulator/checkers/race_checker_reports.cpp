// SPDX-License-Identifier: MIT
// What is said of a race.
#include <fmt/core.h>

#include "simulator/checkers/race_checker.hpp"
#include "simulator/memory_map.hpp"

namespace simulator {

namespace {

// "reads counts[3]"
std::string doing(AccessKind kind, std::string_view object) {
  return kind == AccessKind::load    ? fmt::format("reads {}", object)
         : kind == AccessKind::store ? fmt::format("writes {}", object)
                                     : fmt::format("changes {} atomically", object);
}

}  // namespace

ThreadLocation RaceChecker::location(const Mark& mark) const {
  const auto split = [](std::uint64_t number, dim3 extent) {
    return uint3{static_cast<unsigned>(number % extent.x),
                 static_cast<unsigned>(number / extent.x % extent.y),
                 static_cast<unsigned>(number / extent.x / extent.y)};
  };
  return {split(mark.thread, block_.extent), split(mark.block, block_.grid)};
}

void RaceChecker::note(const WarpAccess& access, std::uintptr_t address, const Mark& before,
                       const Mark& now) {
  hazards_.add({.kind = facts::Verdict::pass,
                .what = fmt::format("several threads write the same value to {}",
                                    name_of_element(address, access.size)),
                .threads = {location(before), location(now)},
                .sites = {before.place, now.place}});
}

void RaceChecker::report(const WarpAccess& access, std::uintptr_t address, const Cell& cell,
                         const Mark& before, const Mark& now, AccessKind kind_before) {
  const auto has_read = [&](const Mark& read) {
    return read.epoch == now.epoch && read.thread == now.thread;
  };
  const bool changes =
      access.kind == AccessKind::store && (has_read(cell.reads[0]) || has_read(cell.reads[1]));
  Hazard hazard{.kind = facts::Verdict::race,
                .what = {},
                .threads = {location(before), location(now)},
                .sites = {before.place, now.place}};
  hazard.across_blocks = !in_this_block(before);
  hazard.within_warp =
      !hazard.across_blocks && before.thread / ModelDevice::lanes == now.thread / ModelDevice::lanes;
  hazard.read_modify_write = changes && kind_before == AccessKind::store;
  const std::string element = name_of_element(address, access.size);
  hazard.what = hazard.read_modify_write ? fmt::format("two threads change {} without an atomic", element)
                                         : fmt::format("one thread {} while another {}",
                                                       doing(kind_before, element), doing(access.kind, "it"));
  hazards_.add(std::move(hazard));
}

}  // namespace simulator
