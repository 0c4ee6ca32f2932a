// SPDX-License-Identifier: MIT
#include "runner/host_memory.hpp"

#include <algorithm>
#include <cstring>

#include "runner/backend.hpp"

namespace runner {

void fill(const RunLayouts& layouts, const histogram::Input& input, std::span<unsigned char> data,
          std::span<unsigned char> histo) {
  std::memset(data.data(), data_guard, data.size());
  input.read(0, data.subspan(layouts.data.begin(), layouts.data.payload));
  clear_histogram(layouts.histogram, histo);
}

void clear_histogram(const GuardedLayout& layout, std::span<unsigned char> histo) {
  std::memset(histo.data(), histogram_guard, histo.size());
  std::memset(histo.data() + layout.begin(), 0, layout.payload);
}

void collect(const RunLayouts& layouts, int bins, std::span<const unsigned char> data,
             std::span<const unsigned char> histo, RunAnswer& answer) {
  const auto overwritten = [](const GuardedLayout& layout, std::span<const unsigned char> all,
                              unsigned char guard) {
    return first_overwritten(layout, all.first(layout.begin()), all.subspan(layout.end()), guard);
  };
  if (const auto at = overwritten(layouts.data, data, data_guard)) {
    answer.observations.push_back(data_overwritten(*at, layouts.data.payload));
  }
  if (const auto at = overwritten(layouts.histogram, histo, histogram_guard)) {
    answer.observations.push_back(histogram_overrun(*at, layouts.histogram.payload / sizeof(std::uint32_t)));
  }
  std::vector<std::uint32_t> result(static_cast<std::size_t>(bins));
  std::memcpy(result.data(), histo.data() + layouts.histogram.begin(), result.size() * sizeof(std::uint32_t));
  add_bins(answer, std::move(result));
}

}  // namespace runner
