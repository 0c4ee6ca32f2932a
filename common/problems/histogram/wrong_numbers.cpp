// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "facts/words.hpp"
#include "problems/histogram/diagnoses.hpp"

namespace histogram {

namespace {

// What many wrong counts have to tell by chance before it is taken for a rule: once in 2^24 times.
constexpr std::size_t no_chance_bits = 24;

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
    if (wrapped && bins * bits >= no_chance_bits) return bits;
  }
  return std::nullopt;
}

// The number at which counters begin anew, as `atomicInc` lets them: every count is what is left of the right
// one when it is divided by that number. nullopt where that may be chance. The number is the greatest that
// divides all that is missing, so one of what is missing tells nothing.
std::optional<std::uint64_t> wraps_at(const Samples& wrong) {
  std::uint64_t divides = 0, largest = 0;
  std::size_t bins = 0;
  for (const Sample* const sample : wrong) {
    for (std::size_t bin = 0; bin < sample->got.size(); ++bin) {
      const std::uint64_t got = sample->got[bin], expected = sample->expected[bin];
      if (got > expected) return std::nullopt;
      bins += got != expected;
      divides = std::gcd(divides, expected - got);
      largest = std::max(largest, got);
    }
  }
  if (bins < 2 || largest >= divides || (bins - 1) * (std::bit_width(divides) - 1) < no_chance_bits)
    return std::nullopt;
  return divides;
}

// Counts that are counted down, by one at most for each byte, where there is nothing left to take away. The
// first of them; nullopt unless every sample has one.
struct BelowZero {
  const Sample* shown;
  std::size_t bin;
};
std::optional<BelowZero> below_zero(const Samples& wrong) {
  std::optional<BelowZero> first;
  const bool all_have_one = all(wrong, [&](const Sample& sample) {
    for (std::size_t bin = 0; bin < sample.got.size(); ++bin) {
      const std::int64_t count = static_cast<std::int32_t>(sample.got[bin]);
      if (count >= 0 || static_cast<std::uint64_t>(-count) > sample.length) continue;
      if (!first) first = BelowZero{&sample, bin};
      return true;
    }
    return false;
  });
  return all_have_one ? first : std::nullopt;
}

// Whether counters of so many bits, packed into words, explain the counts: what one cannot hold is added to
// the counter behind it, one for each 2^bits, and is lost behind the last one of a word. `times`: of all of
// them.
bool carries(const Sample& sample, unsigned bits, std::size_t in_a_word, std::size_t& times) {
  std::int64_t carry = 0;
  for (std::size_t bin = 0; bin < sample.got.size(); ++bin) {
    if (bin % in_a_word == 0) carry = 0;
    const std::int64_t lacks =
        static_cast<std::int64_t>(sample.expected[bin]) + carry - std::int64_t{sample.got[bin]};
    if (lacks < 0 || (lacks & ((std::int64_t{1} << bits) - 1)) != 0) return false;
    carry = lacks >> bits;
    times += carry > 0;
  }
  return true;
}

struct Packing {
  unsigned bits;
  const Sample* shown;
  std::size_t bin;  // that runs over into the next one
};

// Bytes and shorts first, then whatever else has two or more in a word.
std::vector<unsigned> packed_bits() {
  constexpr unsigned most = 31, fewest = 4;
  std::vector<unsigned> all{16, 8};
  for (unsigned bits = most; bits >= fewest; --bits) {
    if (bits != 16 && bits != 8) all.push_back(bits);
  }
  return all;
}

std::optional<Packing> packing(const Samples& wrong) {
  for (const unsigned bits : packed_bits()) {
    for (const unsigned word : {32u, 64u}) {
      std::size_t times = 0;
      const bool explains = word >= 2 * bits && all(wrong, [&](const Sample& sample) {
                              return carries(sample, bits, word / bits, times);
                            });
      if (!explains || times * bits < no_chance_bits) continue;
      for (const Sample* const sample : wrong) {
        for (std::size_t bin = 0; bin + 1 < sample->got.size(); ++bin) {
          if (sample->got[bin] < sample->expected[bin] && sample->got[bin + 1] > sample->expected[bin + 1])
            return Packing{bits, sample, bin};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Diagnosis> overflow(const Evidence& evidence) {
  if (evidence.from_2_31_on) {
    return Diagnosis{"overflow",
                     fmt::format("counts are right up to 2^31 bytes, and wrong from there on\n  {}",
                                 evidence.failed.what)};
  }
  // Not the failed case: it may be one of these.
  Samples wrong = wrong_of(evidence.random);
  for (const std::vector<Sample>* samples :
       {&evidence.repeated, &evidence.repeated_less, &evidence.repeated_others}) {
    const Samples repeated = wrong_of(*samples);
    wrong.insert(wrong.end(), repeated.begin(), repeated.end());
  }
  if (const auto below = below_zero(wrong)) {
    const Sample& shown = *below->shown;
    return Diagnosis{
        "overflow",
        fmt::format("counts fall below zero\n  {}: {} has {}, which is {} as a signed number, "
                    "instead of {}",
                    shown.what, name_of_bin(evidence, below->bin), facts::separated(shown.got[below->bin]),
                    static_cast<std::int32_t>(shown.got[below->bin]),
                    facts::separated(shown.expected[below->bin]))};
  }
  const auto bits = overflow_bits(wrong);
  const auto wrap = bits ? std::uint64_t{1} << *bits : wraps_at(wrong);
  if (!wrap) {
    const auto packed = packing(wrong);
    if (!packed) return std::nullopt;
    const Sample& sample = *packed->shown;
    const auto has = [&](std::size_t bin) {
      return fmt::format("{} has {} instead of {}", name_of_bin(evidence, bin),
                         facts::separated(sample.got[bin]), facts::separated(sample.expected[bin]));
    };
    return Diagnosis{"overflow",
                     fmt::format("counters of {} bits run over into the bin behind them\n  {}: {}, {}",
                                 packed->bits, sample.what, has(packed->bin), has(packed->bin + 1))};
  }
  const Sample& shown = *wrong.front();
  const auto bin = static_cast<std::size_t>(
      std::mismatch(shown.got.begin(), shown.got.end(), shown.expected.begin()).first - shown.got.begin());
  return Diagnosis{
      "overflow",
      fmt::format("every count that differs is too low by a multiple of {}\n  {}: {} has {} instead of {}",
                  *wrap, shown.what, name_of_bin(evidence, bin), shown.got[bin], shown.expected[bin])};
}

std::optional<std::string> floats_in(const Evidence& evidence) {
  const Sample& failed = evidence.failed;
  std::optional<std::size_t> shown;
  for (std::size_t bin = 0; bin < failed.got.size(); ++bin) {
    if (failed.got[bin] == 0 && failed.expected[bin] == 0) continue;
    if (std::bit_cast<float>(failed.got[bin]) != static_cast<float>(failed.expected[bin]))
      return std::nullopt;
    if (!shown) shown = bin;
  }
  if (!shown) return std::nullopt;
  return fmt::format(
      "the counts are stored as float and read as integers\n  {}: {} holds {}, the bits of {}.0f",
      failed.what, name_of_bin(evidence, *shown), facts::separated(failed.got[*shown]),
      failed.expected[*shown]);
}

}  // namespace histogram
