// SPDX-License-Identifier: MIT
// What an exercise made of inputs that were chosen to tell one mistake from another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problems/histogram/problem.hpp"
#include "problems/places.hpp"
#include "problems/reference.hpp"

namespace histogram {

using problems::Stretch;

using Bins = std::vector<std::uint32_t>;

// What one run gave.
struct Sample {
  std::string what;  // "4099 bytes of `letters`"
  std::uint64_t length;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint32_t> got;
  std::vector<unsigned char> bytes = {};                // the input, where positions in it matter
  std::vector<std::vector<std::uint32_t>> others = {};  // other results of the same run in the same process
  problems::LaunchSize launch = {};

  bool is_wrong() const;
  std::uint64_t countable() const;  // the sum of what was expected
  std::uint64_t counted() const;    // the sum of what came
};

struct Evidence {
  BinningInfo binning;
  bool guarded = false;       // the bytes around the input are readable, and each counts as input_guard
  bool from_2_31_on = false;  // every shorter input came out right
  Sample failed;
  std::vector<std::vector<std::uint32_t>> fresh;  // the failed run as the first in processes of their own
  std::vector<Sample> random;                     // counted bytes only; several of the longest length
  std::vector<Sample> repeated;         // one counted byte, again and again; one for each length of random's
  std::vector<Sample> repeated_less;    // the same byte fewer times than in the longest of these
  std::vector<Sample> repeated_others;  // other bytes, as often; where equal bytes alone come out wrong
  std::vector<Sample> mixed;            // like the failed one; where none of the above is wrong
  std::optional<Sample> uncounted;      // no byte of it is counted
  std::uint64_t searched_length = 0;    // of the input in which the stretches below were found
  std::vector<Stretch> stretches;       // see problems::find_stretches
};

using Samples = std::vector<const Sample*>;

// Those that came out wrong.
Samples wrong_of(const std::vector<Sample>& samples);

// The wrong samples that hold nothing but counted bytes, the first case among them.
Samples wrong_and_counted(const Evidence& evidence);

// Precondition: at least one.
const Sample& longest(const Samples& samples);

// Whether there are samples, and it holds for each.
template <class Predicate>
bool all(const Samples& samples, Predicate predicate) {
  return !samples.empty() &&
         std::all_of(samples.begin(), samples.end(), [&](const Sample* s) { return predicate(*s); });
}

// "bin 2 (i-l)"
std::string name_of_bin(const Evidence& evidence, std::size_t bin);

// Gathers the evidence: some dozens of runs, none longer than the case that failed (or than 2^14 bytes); a
// case of 2^30 bytes or more is run once more. Under the binning of the case that failed first, then under
// the others.
std::vector<Evidence> gather_evidence(const problems::FailedCase& failed, problems::Reruns& reruns);

}  // namespace histogram
