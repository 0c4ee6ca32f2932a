// SPDX-License-Identifier: MIT
// What diagnoses ask of samples.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "judge/diagnosis.hpp"

namespace judge {

using Samples = std::vector<const Sample*>;

Samples wrong_of(const std::vector<Sample>& samples);

// The wrong samples that hold nothing but counted bytes, the first case among them.
Samples wrong_and_counted(const Evidence& evidence);

// Of at least one.
const Sample& longest(const Samples& samples);

// Whether there are samples, and it holds for each.
template <class Predicate>
bool all(const Samples& samples, Predicate predicate) {
  return !samples.empty() &&
         std::all_of(samples.begin(), samples.end(), [&](const Sample* s) { return predicate(*s); });
}

// "bin 2 (i-l)"
std::string name_of_bin(const Evidence& evidence, std::size_t bin);

}  // namespace judge
