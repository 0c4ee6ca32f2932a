// SPDX-License-Identifier: MIT
#include "simulator/checkers/kept_loads.hpp"

#include <algorithm>
#include <bit>

#include "simulator/program_image.hpp"

namespace simulator {

void KeptLoads::remember(const WarpAccess& access) {
  std::rotate(order_.begin(), order_.end() - 1, order_.end());
  Load& load = loads_[order_.front()];
  load.place = access.place;
  load.block = block_;
  load.warp = access.warp;
  load.lanes = access.lanes;
  load.size = access.size;
  load.passed_by = 0;
  load.of_earlier_round = false;
  load.addresses = access.operands->address;
  count_ = std::min(count_ + 1, static_cast<unsigned>(loads_.size()));
}

void KeptLoads::shared_array_changes(const WarpAccess& atomic) {
  if (count_ == 0) return;
  const auto first_lane = static_cast<unsigned>(std::countr_zero(atomic.lanes));
  const SharedArray* const array = ProgramImage::instance().shared_array_at(atomic.address(first_lane));
  if (!array) return shared_memory_changes();
  for (Load& load : loads_) {
    if (load.lanes == 0) continue;
    const auto lane = static_cast<unsigned>(std::countr_zero(load.lanes));
    if (load.addresses[lane] - array->begin < array->bytes) load.lanes = 0;
  }
  passes_by(atomic.warp, atomic.lanes);
}

void KeptLoads::passes_by(unsigned warp, unsigned lanes) {
  if (count_ == 0) return;
  for (Load& load : loads_) load.passed_by |= load.warp == warp ? lanes : 0;
}

// Where the program goes back a loop begins its next round, or a function is called. What was loaded in front
// of the loop stays.
void KeptLoads::basic_block(std::uint32_t place) {
  if (place <= block_ && count_ > 0) {
    for (Load& load : loads_) load.of_earlier_round |= load.block >= place;
  }
  block_ = place;
}
}  // namespace simulator
