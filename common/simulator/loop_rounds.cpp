// SPDX-License-Identifier: MIT
#include "simulator/loop_rounds.hpp"

#include <algorithm>

namespace simulator {

void LoopRounds::enter(std::uint32_t place, unsigned depth) {
  while (!loops_.empty() && loops_.back().depth > depth) loops_.pop_back();
  const bool is_first = latest_.size() <= depth;  // of this call
  latest_.resize(depth + 1, place);
  const std::uint32_t before = latest_[depth];
  latest_[depth] = place;
  const auto is_left = [&](const Loop& loop) {
    return loop.depth == depth && (place < loop.begin || place > loop.end);
  };
  while (!loops_.empty() && is_left(loops_.back())) loops_.pop_back();
  if (is_first || place > before) return;
  if (!loops_.empty() && loops_.back().depth == depth && loops_.back().begin == place) {
    ++loops_.back().rounds;
    loops_.back().end = std::max(loops_.back().end, before);
  } else {
    loops_.push_back({depth, place, before, 1});
  }
}

}  // namespace simulator
