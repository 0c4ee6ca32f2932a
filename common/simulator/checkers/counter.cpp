// SPDX-License-Identifier: MIT
#include "simulator/checkers/counter.hpp"

namespace simulator {

bool LaunchCounter::is_kept(const WarpAccess& access) {
  return kept_.keeps(access, [&](std::uint32_t) -> facts::Counters& { return counters_; });
}

bool PlaceCounter::is_kept(const WarpAccess& access) {
  return kept_.keeps(access, [&](std::uint32_t place) -> facts::Counters& { return places_[place]; });
}

void LaunchCounter::block_entered(unsigned, unsigned lanes, std::uint32_t place) {
  kept_.basic_block(place);
  count_step(lanes, counters_);
}

}  // namespace simulator
