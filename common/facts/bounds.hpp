// SPDX-License-Identifier: MIT
// What holds a kernel back, by the timing model: the names that estimates have in JSON, and words for them.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace facts {

struct Bound {
  std::string_view name, in_short, words;
};

inline constexpr std::array<Bound, 10> bound_table{
    {{"issue", "issuing instructions", "the schedulers issue instructions"},
     {"l1", "L1", "L1 serves loads and stores, a line of 128 bytes at a time"},
     {"shared_memory", "shared memory", "shared memory serves its accesses"},
     {"exchanges", "warp operations", "shuffles, matches and __reduce_add_sync are executed"},
     {"constants", "constant memory", "constant memory serves one word after another"},
     {"atomics", "global atomics", "L2 executes global atomics"},
     {"dram", "DRAM", "DRAM delivers"},
     {"waiting", "waiting for loads", "the mean warp waits for what it has loaded"},
     {"barrier", "barriers", "the mean warp waits at a barrier"},
     {"launch", "starting blocks", "blocks are started"}}};

// The bound as a whole clause, or in a word or two; of a name that is not known the name itself.
inline std::string_view words_of_bound(std::string_view name, bool in_short = false) {
  const auto found = std::ranges::find(bound_table, name, &Bound::name);
  if (found == bound_table.end()) return name;
  return in_short ? found->in_short : found->words;
}

}  // namespace facts
