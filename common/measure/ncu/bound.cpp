// SPDX-License-Identifier: MIT
#include "measure/ncu/bound.hpp"

#include <array>
#include <span>

namespace measure {

namespace {

constexpr double busy_percent = 60;

struct Words {
  std::string_view figure, words;
};
constexpr std::array shares_of_units{
    Words{"dram_share", "DRAM is busy"},
    Words{"l1_share", "L1 and shared memory are busy"},
    Words{"issue_share", "the schedulers issue instructions"},
};
constexpr std::array stalls{
    Words{"stall_long_scoreboard", "warps wait for global memory"},
    Words{"stall_short_scoreboard", "warps wait for shared memory"},
    Words{"stall_mio_throttle", "warps wait for the queue to shared memory"},
    Words{"stall_lg_throttle", "warps wait for the queue to global memory"},
    Words{"stall_barrier", "warps wait at barriers"},
};

std::optional<MeasuredBound> largest(const Figures& figures, std::span<const Words> names, bool are_shares) {
  std::optional<MeasuredBound> found;
  for (const Words& name : names) {
    const auto figure = figures.find(std::string(name.figure));
    if (figure == figures.end() || (found && figure->second <= found->value)) continue;
    found = MeasuredBound{name.figure, name.words, figure->second, are_shares};
  }
  return found;
}

}  // namespace

std::optional<MeasuredBound> bound_of(const Figures& figures) {
  const auto unit = largest(figures, shares_of_units, true);
  if (unit && unit->value >= busy_percent) return unit;
  return largest(figures, stalls, false);
}

}  // namespace measure
