// SPDX-License-Identifier: MIT

#include <fmt/core.h>

#include "problems/histogram/mistakes.hpp"
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

// The bin from which on all are wrong while all before it are right; nothing where there is none, or a bin is
// empty.
std::optional<std::size_t> first_wrong_bin(const Sample& sample) {
  if (std::count(sample.expected.begin(), sample.expected.end(), 0u) > 0) return std::nullopt;
  std::optional<std::size_t> first;
  for (std::size_t bin = 0; bin < sample.got.size(); ++bin) {
    const bool right = sample.got[bin] == sample.expected[bin];
    if (!right && !first) first = bin;
    if (right && first) return std::nullopt;
  }
  return first && *first > 0 ? first : std::nullopt;
}

// Every bin lacks a multiple of 2 to this power; nothing where that may be chance: a count that lacks
// something does so once in 2^8 or 2^16 times.
std::optional<unsigned> overflow_bits(const Samples& wrong) {
  for (const unsigned bits : {16u, 8u}) {
    std::size_t bins = 0;
    const bool wrapped = all(wrong, [&](const Sample& sample) {
      for (std::size_t bin = 0; bin < sample.got.size(); ++bin) {
        if (sample.got[bin] == sample.expected[bin]) continue;
        ++bins;
        if (sample.got[bin] > sample.expected[bin] ||
            ((sample.expected[bin] - sample.got[bin]) & ((1u << bits) - 1)) != 0)
          return false;
      }
      return true;
    });
    if (wrapped && bins * bits >= 24) return bits;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnosis> tail_missed(const Evidence& evidence, std::size_t inputs) {
  const Samples wrong = wrong_of(evidence.random);
  if (wrong.size() < inputs ||
      !all(wrong, [&](const Sample& s) { return counted_prefix(evidence, s).has_value(); }))
    return std::nullopt;
  for (const Sample* sample : wrong) {
    const std::uint64_t end = *counted_prefix(evidence, *sample);
    if (end == 0) continue;
    return Diagnosis{
        "tail_missed",
        fmt::format(
            "the end of the input is not counted\n  of {} bytes the first {} are counted, none after them",
            sample->length, end)};
  }
  return std::nullopt;
}

std::optional<Diagnosis> only_first_bins(const Evidence& evidence, std::size_t inputs) {
  Samples full = wrong_of(evidence.random);
  std::erase_if(full,
                [](const Sample* s) { return std::count(s->expected.begin(), s->expected.end(), 0u) > 0; });
  if (full.empty() || full.size() < inputs) return std::nullopt;
  const auto first = first_wrong_bin(*full.front());
  if (!first || !all(full, [&](const Sample& s) { return first_wrong_bin(s) == first; })) return std::nullopt;
  const Sample& shown = *full.front();
  const bool zero = std::all_of(shown.got.begin() + static_cast<std::ptrdiff_t>(*first), shown.got.end(),
                                [](auto count) { return count == 0; });
  return Diagnosis{"only_first_bins",
                   fmt::format("only the first {} of {} bins are right\n  {}: from {} on all bins {}", *first,
                               shown.got.size(), shown.what, name_of_bin(evidence, *first),
                               zero ? "stay 0" : "are wrong")};
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

std::optional<Diagnosis> overflow(const Evidence& evidence) {
  if (evidence.from_2_31_on) {
    return Diagnosis{"overflow",
                     fmt::format("counts are right up to 2^31 bytes, and wrong from there on\n  {}",
                                 evidence.failed.what)};
  }
  // Not the failed case: it may be one of these.
  Samples wrong = wrong_of(evidence.random);
  for (const std::vector<Sample>* samples : {&evidence.repeated, &evidence.repeated_less}) {
    const Samples repeated = wrong_of(*samples);
    wrong.insert(wrong.end(), repeated.begin(), repeated.end());
  }
  const auto bits = overflow_bits(wrong);
  if (!bits) return std::nullopt;
  const Sample& shown = *wrong.front();
  const auto bin = static_cast<std::size_t>(
      std::mismatch(shown.got.begin(), shown.got.end(), shown.expected.begin()).first - shown.got.begin());
  return Diagnosis{
      "overflow",
      fmt::format("every count that differs is too low by a multiple of {}\n  {}: {} has {} instead of {}",
                  1u << *bits, shown.what, name_of_bin(evidence, bin), shown.got[bin], shown.expected[bin])};
}

}  // namespace histogram
