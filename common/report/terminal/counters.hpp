// SPDX-License-Identifier: MIT
// What the counters of docs/counters.md mean, in a few words each.
#pragma once

#include <span>
#include <string_view>

namespace report {

struct CounterMeaning {
  std::string_view name, meaning;
};

// In the order in which they are shown.
std::span<const CounterMeaning> counter_meanings();

}  // namespace report
