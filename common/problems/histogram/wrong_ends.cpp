// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "facts/words.hpp"
#include "problems/histogram/diagnoses.hpp"
#include "problems/histogram/unit/exercise.hpp"

namespace histogram {

namespace {

// How many bytes from the start make up exactly these bins; nothing if no stretch does.
std::optional<std::uint64_t> counted_prefix(const Evidence& evidence, const Sample& sample) {
  if (sample.bytes.size() != sample.length) return std::nullopt;
  std::vector<std::uint32_t> bins(sample.got.size());
  const std::uint64_t end = sample.counted();
  if (end > sample.length) return std::nullopt;
  for (std::uint64_t at = 0; at < end; ++at)
    ++bins[static_cast<std::size_t>(evidence.binning.bin_of(sample.bytes[at]))];
  return bins == sample.got ? std::optional(end) : std::nullopt;
}

}  // namespace

std::optional<Diagnosis> tail_missed(const Evidence& evidence, std::size_t inputs) {
  const Samples wrong = wrong_of(evidence.random);
  if (wrong.size() < inputs ||
      !all(wrong, [&](const Sample& s) { return counted_prefix(evidence, s).has_value(); }))
    return std::nullopt;
  std::vector<problems::Beginning> all;
  for (const Sample* sample : wrong)
    all.push_back({*counted_prefix(evidence, *sample), sample->length, sample->launch});
  std::erase_if(all, [](const problems::Beginning& one) { return one.end == 0; });
  if (all.empty()) return std::nullopt;
  // In launches of few blocks, what one block has is easily taken for what all have.
  const auto of_many = std::ranges::find_if(all, [](const auto& one) { return one.launch.grid > 2; });
  const auto account_of = [&](const problems::Beginning& shown) {
    return problems::account_of_beginning(all, shown, "bytes");
  };
  const bool is_of_many = !account_of(all.front()) && of_many != all.end();
  const problems::Beginning shown = is_of_many && account_of(*of_many) ? *of_many : all.front();
  const auto account = account_of(shown);
  return Diagnosis{"tail_missed",
                   fmt::format("{}\n  of {} only the first {} are in it{}", problems::headline_of(shown),
                               facts::counted(shown.length, "bytes"), facts::separated(shown.end),
                               account ? "\n  " + *account : ""),
                   Diagnosis::Tells::places};
}

std::optional<Diagnosis> past_the_end(const Evidence& evidence) {
  if (!evidence.guarded) return std::nullopt;
  const auto guard_bin = static_cast<std::size_t>(evidence.binning.bin_of(input_guard));
  const auto only_guard_bin = [&](const Sample& sample) {
    for (std::size_t bin = 0; bin < sample.got.size(); ++bin) {
      if (bin != guard_bin && sample.got[bin] != sample.expected[bin]) return false;
    }
    return sample.got[guard_bin] > sample.expected[guard_bin];
  };
  const Samples repeated = wrong_of(evidence.repeated);
  if (!all(repeated, only_guard_bin) || !all(wrong_and_counted(evidence), only_guard_bin))
    return std::nullopt;
  const Sample& shown = longest(repeated);
  return Diagnosis{"past_the_end",
                   fmt::format("bytes outside of the input are counted\n  {}: {} more than these are counted",
                               shown.what, shown.counted() - shown.countable())};
}

}  // namespace histogram
