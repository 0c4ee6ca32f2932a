// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "facts/words.hpp"
#include "problems/histogram/diagnoses.hpp"

namespace histogram {

namespace {

bool none_above(const Sample& sample) {
  return std::equal(sample.got.begin(), sample.got.end(), sample.expected.begin(),
                    [](auto got, auto expected) { return got <= expected; });
}

bool none_below(const Sample& sample) {
  return std::equal(sample.got.begin(), sample.got.end(), sample.expected.begin(),
                    [](auto got, auto expected) { return got >= expected; });
}

std::string sums(const Sample& sample) {
  return fmt::format("{}: the bins add up to {} instead of {}", sample.what,
                     facts::separated(sample.counted()), facts::separated(sample.countable()));
}

problems::Places places_of(const Evidence& evidence) {
  return {.length = evidence.searched_length, .stretches = evidence.stretches};
}

// The random inputs, for accounts of how often each byte is counted.
std::vector<problems::PlacesSample> places_samples(const Evidence& evidence) {
  std::vector<problems::PlacesSample> all;
  for (const Sample& sample : evidence.random) {
    if (sample.bytes.size() != sample.length || sample.countable() != sample.length) return {};
    const auto is_from = [&](std::span<const std::uint32_t> times) {
      Bins bins(sample.got.size());
      for (std::size_t i = 0; i < times.size(); ++i)
        bins[static_cast<std::size_t>(evidence.binning.bin_of(sample.bytes[i]))] += times[i];
      return bins == sample.got;
    };
    all.push_back({sample.length, sample.launch, sample.counted(), is_from});
  }
  return all;
}

// A line each: which bytes, and what the launch has to do with it.
std::string positions(const Evidence& evidence) {
  const problems::Places places = places_of(evidence);
  const auto samples = places_samples(evidence);
  const auto rule = problems::rule_of(places, samples), account = problems::account_of(places, samples);
  return (rule ? *rule : places.text()) + (account ? "\n  " + *account : "");
}

// What all wrong counts have in common, in words; nothing where that is no more than their sum.
std::optional<std::string> pattern_of_bins(const Evidence& evidence, const Samples& wrong) {
  const auto for_all_bins = [&](auto holds) {
    return all(wrong, [&](const Sample& sample) {
      for (std::size_t bin = 0; bin < sample.got.size(); ++bin) {
        if (!holds(sample, bin)) return false;
      }
      return true;
    });
  };
  const Sample& shown = longest(wrong);
  const Samples random = wrong_of(evidence.random);
  if (random.size() < enough_inputs) return std::nullopt;
  if (for_all_bins([](const Sample& s, std::size_t bin) {
        return s.got[bin] == std::min<std::uint64_t>(s.expected[bin], 1);
      }))
    return "no bin exceeds 1, however many bytes it should count";
  const auto differs = [](const Sample& s, std::size_t bin) { return s.got[bin] != s.expected[bin]; };
  std::size_t bin = 0;
  while (bin < shown.got.size() && !differs(*random.front(), bin)) ++bin;
  const bool is_only = all(random, [&](const Sample& s) {
    for (std::size_t i = 0; i < s.got.size(); ++i) {
      if (differs(s, i) != (i == bin)) return false;
    }
    return true;
  });
  const bool is_zero = all(random, [&](const Sample& s) { return s.got[bin] == 0; });
  if (is_only)
    return fmt::format("only {} is wrong{}", name_of_bin(evidence, bin), is_zero ? ": it stays 0" : "");
  const auto adds_values = [&](const Sample& sample) {
    if (sample.bytes.size() != sample.length) return false;
    Bins sums(sample.got.size());
    for (const unsigned char byte : sample.bytes) {
      if (const int bin = evidence.binning.bin_of(byte); bin >= 0)
        sums[static_cast<std::size_t>(bin)] += byte;
    }
    return sums == sample.got;
  };
  if (all(random, adds_values)) return "each byte adds its own value to its bin: an `a` adds 97";
  return std::nullopt;
}

}  // namespace

std::optional<Diagnosis> by_sums(const Evidence& evidence, const Samples& wrong) {
  const Sample& shown = longest(wrong);
  const auto more = [](const Sample& s) { return s.counted() > s.countable(); };
  const auto less = [](const Sample& s) { return s.counted() < s.countable(); };
  const problems::Places places = places_of(evidence);
  const std::vector<Stretch> odd = places.odd();
  const std::optional<std::string> pattern = pattern_of_bins(evidence, wrong);
  const auto diagnosis_named = [&](const char* name, const char* usual) {
    using Tells = Diagnosis::Tells;
    if (pattern) return Diagnosis{name, *pattern + "\n  " + sums(shown), Tells::sums};
    if (odd.empty()) return Diagnosis{name, usual + ("\n  " + sums(shown)), Tells::sums};
    if (odd.front().length() < places.length)
      return Diagnosis{name, places.headline() + "\n  " + positions(evidence), Tells::places};
    const auto account = problems::account_of(places, places_samples(evidence));
    return Diagnosis{name, places.headline() + "\n  " + (account ? *account : sums(shown)),
                     account ? Tells::places : Tells::sums};
  };
  const char* const too_much = "the bins add up to more than there is to count";
  if (all(wrong, [&](const Sample& s) { return !less(s) && none_below(s); }))
    return diagnosis_named("double_counting", too_much);
  if (all(wrong, [&](const Sample& s) { return !more(s) && none_above(s); })) {
    if (depends_on_position(evidence)) return std::nullopt;
    return diagnosis_named("lost_updates", "the bins add up to less than there is to count");
  }
  if (all(wrong, [&](const Sample& s) { return !more(s) && !less(s); })) {
    return Diagnosis{
        "wrong_bins",
        fmt::format(
            "bytes are counted in other bins than their own\n  {}: the bins add up to {}, as they should",
            shown.what, facts::separated(shown.counted()))};
  }
  if (all(wrong, more)) return diagnosis_named("double_counting", too_much);
  return std::nullopt;
}

std::optional<Diagnosis> counts_other_bytes(const Evidence& evidence) {
  if (!evidence.uncounted || evidence.uncounted->counted() == 0) return std::nullopt;
  return Diagnosis{"counts_other_bytes",
                   "bytes that belong to no bin are counted\n  " + sums(*evidence.uncounted)};
}

std::optional<Diagnosis> by_position(const Evidence& evidence) {
  const problems::Places places = places_of(evidence);
  if (places.odd().empty()) return std::nullopt;
  return Diagnosis{"", places.headline() + "\n  " + positions(evidence), Diagnosis::Tells::places};
}

bool depends_on_position(const Evidence& evidence) {
  bool any = false;
  for (const Sample& repeated : evidence.repeated) {
    for (const Sample& random : evidence.random) {
      if (random.length != repeated.length) continue;
      if (random.counted() != repeated.counted()) return false;
      any = any || (random.is_wrong() && random.counted() != random.countable());
    }
  }
  return any;
}

}  // namespace histogram
