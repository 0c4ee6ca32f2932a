// SPDX-License-Identifier: MIT
// The CPU's answer, which every kernel is held to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "problems/histogram/binnings.hpp"

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

// The histogram of some bytes: `binning.bins` counts.
std::vector<std::uint64_t> reference_histogram(std::span<const unsigned char> bytes,
                                               const BinningInfo& binning);

}  // namespace histogram
