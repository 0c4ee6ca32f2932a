// SPDX-License-Identifier: MIT
#include "problems/reference.hpp"

#include <random>
#include <stdexcept>

#include "problems/histogram/histogram_reference.hpp"
#include "problems/reduction/reduction_reference.hpp"

namespace problems {

std::uint64_t Launch::of(const std::string& counter) const {
  const auto found = counts.find(counter);
  return found == counts.end() ? 0 : found->second;
}

std::string Reference::agreement(std::string_view, const Result&, const Result&) const {
  return "equal to " + std::string(problem().answer_words());
}

std::uint64_t Reference::drawn_technique_length(std::uint64_t seed) const {
  // In steps of two from an odd length: with a rest for blocks, warps and vectors of any size.
  const std::uint64_t lengths = std::max<std::uint64_t>(technique_length() / 2000, 1);
  return technique_length() + 2 * (std::mt19937_64(~seed)() % lengths);
}

std::vector<Case> draw_cases(const Problem& problem, std::span<const DrawnLengths> lengths,
                             std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Case> cases;
  for (const auto& [from, to, number] : lengths) {
    const std::uint64_t length = from + random() % (to - from + 1);
    for (int i = 0; i < number; ++i) {
      // One after another: the order in which a call's arguments are drawn would be the compiler's.
      const Variant& variant = problem.variants()[random() % problem.variants().size()];
      const NamedInput& input = problem.inputs()[random() % problem.inputs().size()];
      const auto misalignment = static_cast<unsigned>(random() % 16);
      cases.push_back({std::string(variant.name), std::string(input.name), length, misalignment});
    }
  }
  return cases;
}

const Reference& reference_of(std::string_view name) {
  for (const Reference* const reference : {&histogram::reference(), &reduction::reference()}) {
    if (reference->problem().name() == name) return *reference;
  }
  throw std::invalid_argument("no such problem: " + std::string(name));
}

}  // namespace problems
