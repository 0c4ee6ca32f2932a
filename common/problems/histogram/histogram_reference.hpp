// SPDX-License-Identifier: MIT
// The CPU's answer, which every kernel is held to, and the rest of what only the judge knows of the
// histogram.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/histogram/binnings.hpp"
#include "problems/reference.hpp"

namespace histogram {

// How often each byte value occurs; counts are 64 bits wide, so inputs of any length may be added up.
class ByteCounts {
 public:
  void add(std::span<const unsigned char> bytes);

  // Adds `times` occurrences of one byte value.
  void add(unsigned char byte, std::uint64_t times) { counts_[byte] += times; }

  // The histogram under a binning: `binning.bins` counts.
  std::vector<std::uint64_t> bins(const BinningInfo& binning) const;

  std::uint64_t of(unsigned char byte) const { return counts_[byte]; }

 private:
  std::array<std::uint64_t, 256> counts_{};
};

// The histogram of (a stretch of) an input. Holes are counted without reading them.
std::vector<std::uint64_t> expected_bins(const problems::Input& input, const BinningInfo& binning,
                                         std::uint64_t offset, std::uint64_t length);

// A wrong answer, with the first bins that differ; nothing if all are equal.
std::optional<facts::Finding> compare_bins(const BinningInfo& binning,
                                           const std::vector<std::uint64_t>& expected,
                                           const std::vector<unsigned int>& got);

// From here on a device may be too small for a case.
constexpr std::uint64_t huge_length = std::uint64_t{1} << 30;

const problems::Reference& reference();

}  // namespace histogram
