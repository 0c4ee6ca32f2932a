// SPDX-License-Identifier: MIT
// Rules of technique by the names that a lab's manifest has for them: how a problem keeps its own. `Conduct`
// is what the problem knows of a launch whose answer was right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "problems/reference.hpp"

namespace problems {

template <class Conduct>
struct KnownRule {
  std::string_view name;
  std::string_view input;  // on which it is judged
  std::optional<std::string> (*fault)(const Conduct& conduct, std::uint64_t parameter);
  std::uint64_t usual;  // parameter
  bool goes_round;  // the parameter says how many elements a thread has to take before the rule says anything
};

template <class Conduct>
class KnownRules {
 public:
  constexpr explicit KnownRules(std::span<const KnownRule<Conduct>> all) : all_(all) {}

  std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (const KnownRule<Conduct>& rule : all_) names.push_back(rule.name);
    return names;
  }

  bool is_judged_on(const Rule& rule, std::string_view input) const { return known(rule).input == input; }

  // What the launch lacks by a rule. Precondition: the rule is known.
  std::optional<std::string> fault(const Rule& rule, const Conduct& conduct) const {
    return known(rule).fault(conduct, parameter_of(rule));
  }

  // Runs the case. Fewer threads than elements have to go round: where they are many, the input must be long
  // enough to show it, and becomes so, but not longer than `longest`.
  std::optional<Launch> run(Case& what, const std::vector<Rule>& rules, std::uint64_t longest,
                            const RunCase& run_case) const {
    std::optional<Launch> launch = run_case(what);
    if (!launch) return std::nullopt;
    std::uint64_t elements_per_thread = 1;
    for (const Rule& rule : rules) {
      if (known(rule).goes_round) elements_per_thread = std::max(elements_per_thread, parameter_of(rule));
    }
    const std::uint64_t threads = launch->threads(), wanted = threads * elements_per_thread + 3;
    if (threads >= what.length || wanted <= what.length || wanted > longest) return launch;
    what.length = wanted;
    return run_case(what);
  }

 private:
  const KnownRule<Conduct>& known(const Rule& rule) const {
    const auto found = std::ranges::find(all_, rule.name, &KnownRule<Conduct>::name);
    if (found == all_.end()) throw std::invalid_argument("no such rule: " + rule.name);
    return *found;
  }

  std::uint64_t parameter_of(const Rule& rule) const {
    return rule.parameters.empty() ? known(rule).usual : rule.parameters.front();
  }

  std::span<const KnownRule<Conduct>> all_;
};

}  // namespace problems
