// SPDX-License-Identifier: MIT
// All 256 byte values are counted first and sorted into bins afterwards, so that the count itself knows
// nothing of binnings. Neighbouring equal bytes would make each increment wait for the one before (the
// counter is loaded again right after it was stored); four tables taken in turn break that chain.
#include "problems/histogram/reference.hpp"

#include <algorithm>

namespace histogram {

namespace {

constexpr std::size_t tables = 4;

// Longest stretch that cannot overflow a 32-bit counter.
constexpr std::size_t stretch_bytes = std::size_t{1} << 30;

}  // namespace

void ByteCounts::add(std::span<const unsigned char> bytes) {
  while (!bytes.empty()) {
    const std::span<const unsigned char> stretch = bytes.first(std::min(bytes.size(), stretch_bytes));
    bytes = bytes.subspan(stretch.size());
    std::array<std::array<std::uint32_t, 256>, tables> counts{};
    std::size_t i = 0;
    for (; i + tables <= stretch.size(); i += tables) {
      ++counts[0][stretch[i]];
      ++counts[1][stretch[i + 1]];
      ++counts[2][stretch[i + 2]];
      ++counts[3][stretch[i + 3]];
    }
    for (; i < stretch.size(); ++i) ++counts[0][stretch[i]];
    for (std::size_t byte = 0; byte < 256; ++byte) {
      for (const auto& table : counts) counts_[byte] += table[byte];
    }
  }
}

std::vector<std::uint64_t> ByteCounts::bins(const BinningInfo& binning) const {
  std::vector<std::uint64_t> result(static_cast<std::size_t>(binning.bins));
  for (int byte = 0; byte < 256; ++byte) {
    const int bin = binning.bin_of(static_cast<unsigned char>(byte));
    if (bin >= 0) result[static_cast<std::size_t>(bin)] += counts_[static_cast<std::size_t>(byte)];
  }
  return result;
}

std::vector<std::uint64_t> reference_histogram(std::span<const unsigned char> bytes,
                                               const BinningInfo& binning) {
  ByteCounts counts;
  counts.add(bytes);
  return counts.bins(binning);
}

}  // namespace histogram
