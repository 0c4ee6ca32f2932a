// SPDX-License-Identifier: MIT
// The CPU's answer, which every kernel is held to, the lab's rules of technique, and the rest of what only
// the judge knows of the histogram.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "problems/histogram/problem.hpp"
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

// Technique: whether right counts came about by the means that the lab teaches. Each rule asks for one idea
// alone, over exact counts of the simulator, so that a correct solution written differently passes; a lab's
// rules together refuse the solutions of the labs before it.

// From this length on, over aligned data, the technique is judged.
constexpr std::uint64_t technique_length = (1 << 20) + 3;

// A launch whose counts were right, over aligned data of which every byte is counted.
struct Conduct {
  problems::Launch launch;
  std::uint64_t length, bins;

  std::uint64_t of(const std::string& counter) const { return launch.of(counter); }
  std::uint64_t threads() const { return launch.threads(); }
  // If each block commits each bin. A copy stands for several bytes: where blocks have fewer threads than
  // there are bins, a kernel without copies would stay below that.
  std::uint64_t commits() const { return std::min(launch.grid * bins, length / 2); }
};

// Names of the rules that a manifest may hold.
std::vector<std::string_view> technique_rules();

// What a launch lacks by one rule, in the lab's terms with the numbers that show it. Precondition: the rule
// is known.
std::optional<std::string> rule_fault(const problems::Rule& rule, const Conduct& conduct);

// The first of the rules that is not kept at this length, each judged on its own input.
std::optional<problems::TechniqueFault> technique_fault(const std::vector<problems::Rule>& rules,
                                                        std::uint64_t length, const problems::RunCase& run);

}  // namespace histogram
