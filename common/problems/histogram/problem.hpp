// SPDX-License-Identifier: MIT
// The histogram as everybody may know it, a student's runner included: the problem, and its binnings as
// values, for code that learns only at run time which one is meant.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "problems/problem.hpp"

namespace histogram {

struct BinningInfo {
  std::string_view name;
  int bins;
  int (*bin_of)(unsigned char byte);  // -1: the byte is not counted

  // The bytes of a bin, as a person writes them: "a-d", "q", "0x41".
  std::string label(int bin) const;
};

// One run's output as counts.
std::vector<unsigned int> counts_of(std::span<const unsigned char> output);

// All binnings, the one with the fewest bins first.
const std::array<BinningInfo, 3>& binnings();

// The binning of that name, or nothing.
std::optional<BinningInfo> find_binning(std::string_view name);

const problems::Problem& problem();

}  // namespace histogram
