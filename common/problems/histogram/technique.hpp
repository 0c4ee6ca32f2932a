// SPDX-License-Identifier: MIT
// Whether right counts came about by what the lab teaches. Each rule asks for one idea alone, over exact
// counts of the simulator, so that a correct solution written differently passes; a lab's rules together
// refuse the solutions of the labs before it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/reference.hpp"

namespace histogram {

// From this length on, over aligned data, the technique is judged.
constexpr std::uint64_t technique_length = (1 << 20) + 3;

// A launch whose counts were right, over aligned data of which every byte is counted.
struct Conduct {
  problems::Launch launch;
  std::uint64_t length, bins;

  std::uint64_t of(const std::string& counter) const { return launch.of(counter); }
  std::uint64_t threads() const { return launch.threads(); }
  std::uint64_t commits() const { return launch.grid * bins; }  // if each block commits each bin
};

// Names of the rules that a manifest may hold.
std::vector<std::string_view> technique_rules();

// What a launch lacks by one rule, in the lab's terms with the numbers that show it. Precondition: the rule
// is known.
std::optional<std::string> rule_fault(const problems::Rule& rule, const Conduct& conduct);

// The first of the rules that is not kept, each judged on its own input.
std::optional<problems::TechniqueFault> technique_fault(const std::vector<problems::Rule>& rules,
                                                        const problems::RunCase& run);

}  // namespace histogram
