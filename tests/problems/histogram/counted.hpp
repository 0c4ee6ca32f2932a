// SPDX-License-Identifier: MIT
// The right histogram of bytes that lie in memory.
#pragma once

#include "problems/histogram/histogram_reference.hpp"

inline std::vector<std::uint64_t> reference_histogram(std::span<const unsigned char> bytes,
                                                      const histogram::BinningInfo& binning) {
  histogram::ByteCounts counts;
  counts.add(bytes);
  return counts.bins(binning);
}
