// SPDX-License-Identifier: MIT
#include "judge/samples.hpp"

#include <fmt/core.h>

#include <numeric>

namespace judge {

bool Sample::is_wrong() const {
  return !std::equal(got.begin(), got.end(), expected.begin(), expected.end());
}
std::uint64_t Sample::countable() const {
  return std::accumulate(expected.begin(), expected.end(), std::uint64_t{0});
}
std::uint64_t Sample::counted() const { return std::accumulate(got.begin(), got.end(), std::uint64_t{0}); }

Samples wrong_of(const std::vector<Sample>& samples) {
  Samples wrong;
  for (const Sample& sample : samples) {
    if (sample.is_wrong()) wrong.push_back(&sample);
  }
  return wrong;
}

Samples wrong_and_counted(const Evidence& evidence) {
  const auto only_counted_bytes = [](const Sample& sample) { return sample.countable() == sample.length; };
  Samples wrong = wrong_of(evidence.random);
  const Samples repeated = wrong_of(evidence.repeated);
  wrong.insert(wrong.end(), repeated.begin(), repeated.end());
  if (evidence.failed.is_wrong() && only_counted_bytes(evidence.failed)) wrong.push_back(&evidence.failed);
  return wrong;
}

const Sample& longest(const Samples& samples) {
  return **std::max_element(samples.begin(), samples.end(),
                            [](auto* a, auto* b) { return a->length < b->length; });
}

std::string name_of_bin(const Evidence& evidence, std::size_t bin) {
  return fmt::format("bin {} ({})", bin, evidence.binning.label(static_cast<int>(bin)));
}

}  // namespace judge
