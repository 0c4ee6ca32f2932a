// SPDX-License-Identifier: MIT
#include "problems/reference.hpp"

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

const Reference& reference_of(std::string_view name) {
  for (const Reference* const reference : {&histogram::reference(), &reduction::reference()}) {
    if (reference->problem().name() == name) return *reference;
  }
  throw std::invalid_argument("no such problem: " + std::string(name));
}

}  // namespace problems
