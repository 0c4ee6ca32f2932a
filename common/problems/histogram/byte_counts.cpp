// SPDX-License-Identifier: MIT
// All 256 byte values are counted first and sorted into bins afterwards, so that the count itself knows
// nothing of binnings. Neighbouring equal bytes would make each increment wait for the one before (the
// counter is loaded again right after it was stored); four tables taken in turn break that chain.

#include <fmt/core.h>

#include <algorithm>

#include "problems/histogram/histogram_reference.hpp"

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

std::vector<std::uint64_t> expected_bins(const problems::Input& input, const BinningInfo& binning,
                                         std::uint64_t offset, std::uint64_t length) {
  constexpr std::uint64_t piece_bytes = 1 << 20;
  ByteCounts counts;
  std::vector<unsigned char> piece;
  std::uint64_t holes = length;
  for (const problems::Extent& extent : input.extents()) {
    const std::uint64_t end = std::min(extent.offset + extent.length, offset + length);
    for (std::uint64_t at = std::max(extent.offset, offset); at < end; at += piece.size()) {
      piece.resize(std::min(piece_bytes, end - at));
      input.read(at, piece);
      counts.add(piece);
      holes -= piece.size();
    }
  }
  counts.add(0, holes);
  return counts.bins(binning);
}

std::optional<facts::Finding> compare_bins(const BinningInfo& binning,
                                           const std::vector<std::uint64_t>& expected,
                                           const std::vector<unsigned int>& got) {
  constexpr std::size_t shown_bins = 5;
  if (got.size() != expected.size()) {
    return facts::Finding{facts::Verdict::protocol,
                          fmt::format("{} bins came back instead of {}", got.size(), expected.size())};
  }
  std::size_t different = 0;
  std::string lines;
  for (std::size_t bin = 0; bin < expected.size(); ++bin) {
    if (expected[bin] == got[bin] || ++different > shown_bins) continue;
    lines += fmt::format("\n  bin {} ({}): expected {}, got {}", bin, binning.label(static_cast<int>(bin)),
                         expected[bin], got[bin]);
  }
  if (different == 0) return std::nullopt;
  if (different > shown_bins) lines += fmt::format("\n  and {} more", different - shown_bins);
  return facts::Finding{facts::Verdict::wrong_answer,
                        fmt::format("{} of {} bins differ", different, expected.size()) + lines};
}

}  // namespace histogram
