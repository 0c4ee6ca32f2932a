// SPDX-License-Identifier: MIT
#include "runner/guard.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace runner {

std::optional<std::int64_t> first_overwritten(const GuardedLayout& layout,
                                              std::span<const unsigned char> before,
                                              std::span<const unsigned char> behind, unsigned char guard) {
  const auto written = [guard](unsigned char byte) { return byte != guard; };
  const auto behind_at = std::find_if(behind.begin(), behind.end(), written);
  if (behind_at != behind.end())
    return static_cast<std::int64_t>(layout.payload) + (behind_at - behind.begin());
  // Before the payload the write that is nearest to it is the one to name.
  const auto before_at = std::find_if(before.rbegin(), before.rend(), written);
  if (before_at != before.rend()) return -1 - (before_at - before.rbegin());
  return std::nullopt;
}

Observation data_overwritten(std::int64_t distance, std::size_t length) {
  return {"out_of_bounds",
          fmt::format("the kernel wrote data[{}]; data has {} bytes, and they are only to be read", distance,
                      length),
          {}};
}

Observation histogram_overrun(std::int64_t distance, std::size_t counters) {
  constexpr std::int64_t bytes = sizeof(std::uint32_t);
  const std::int64_t index = distance >= 0 ? distance / bytes : -((-distance + bytes - 1) / bytes);
  return {
      "out_of_bounds", fmt::format("the kernel wrote histo[{}]; histo has {} counters", index, counters), {}};
}

}  // namespace runner
