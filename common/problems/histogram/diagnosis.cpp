// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string_view>

#include "facts/words.hpp"
#include "problems/histogram/mistakes.hpp"
#include "problems/histogram/unit/exercise.hpp"

namespace histogram {

bool Sample::is_wrong() const {
  return !std::equal(got.begin(), got.end(), expected.begin(), expected.end());
}
std::uint64_t Sample::countable() const {
  return std::accumulate(expected.begin(), expected.end(), std::uint64_t{0});
}
std::uint64_t Sample::counted() const { return std::accumulate(got.begin(), got.end(), std::uint64_t{0}); }

namespace {

Samples wrong_of(const std::vector<Sample>& samples) {
  Samples wrong;
  for (const Sample& sample : samples) {
    if (sample.is_wrong()) wrong.push_back(&sample);
  }
  return wrong;
}

}  // namespace

Samples wrong_and_counted(const Evidence& evidence) {
  const auto only_counted_bytes = [](const Sample& sample) { return sample.countable() == sample.length; };
  Samples wrong = wrong_of(evidence.random);
  const Samples repeated = wrong_of(evidence.repeated);
  wrong.insert(wrong.end(), repeated.begin(), repeated.end());
  if (evidence.failed.is_wrong() && only_counted_bytes(evidence.failed)) wrong.push_back(&evidence.failed);
  return wrong;
}

namespace {

// Precondition: at least one.
const Sample& longest(const Samples& samples) {
  return **std::max_element(samples.begin(), samples.end(),
                            [](auto* a, auto* b) { return a->length < b->length; });
}

// "bin 2 (i-l)"
std::string name_of_bin(const Evidence& evidence, std::size_t bin) {
  return fmt::format("bin {} ({})", bin, evidence.binning.label(static_cast<int>(bin)));
}

// Whether there are samples, and it holds for each.
template <class Predicate>
bool all(const Samples& samples, Predicate predicate) {
  return !samples.empty() &&
         std::all_of(samples.begin(), samples.end(), [&](const Sample* s) { return predicate(*s); });
}

// From the most fundamental one on. Counts that lack multiples of 256 are too low as well, and the end of
// what 32 bits can number is an end too: so `overflow`, which says more, is asked for before what would fit
// besides.
constexpr std::array<std::string_view, 11> ranked_names{
    "nothing_written", "not_deterministic",  "uncleared_counters", "overflow",
    "tail_missed",     "past_the_end",       "only_first_bins",    "double_counting",
    "lost_updates",    "counts_other_bytes", "wrong_bins"};

using Bins = std::vector<std::uint32_t>;

bool none_above(const Sample& sample) {
  return std::equal(sample.got.begin(), sample.got.end(), sample.expected.begin(),
                    [](auto got, auto expected) { return got <= expected; });
}

bool none_below(const Sample& sample) {
  return std::equal(sample.got.begin(), sample.got.end(), sample.expected.begin(),
                    [](auto got, auto expected) { return got >= expected; });
}

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

// Diagnoses that show as a pattern of right and wrong counts, and that counts of another mistake may show by
// chance: of `inputs` wrong random inputs at least, all must show the pattern.
std::optional<Diagnosis> tail_missed(const Evidence& evidence, std::size_t inputs = enough_inputs) {
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

std::optional<Diagnosis> only_first_bins(const Evidence& evidence, std::size_t inputs = enough_inputs) {
  Samples full = wrong_of(evidence.random);
  std::erase_if(full,
                [](const Sample* s) { return std::count(s->expected.begin(), s->expected.end(), 0u) > 0; });
  if (full.empty() || full.size() < inputs) return std::nullopt;
  const auto first = first_wrong_bin(*full.front());
  if (!first || !all(full, [&](const Sample& s) { return first_wrong_bin(s) == first; })) return std::nullopt;
  const Sample& shown = *full.front();
  const bool zero = std::all_of(shown.got.begin() + static_cast<std::ptrdiff_t>(*first), shown.got.end(),
                                [](auto count) { return count == 0; });
  const bool is_last = *first + 1 == shown.got.size();
  return Diagnosis{
      "only_first_bins",
      fmt::format("only the first {}of {} bins {} right\n  {}: {}{} {}",
                  *first == 1 ? "" : fmt::format("{} ", *first), shown.got.size(), *first == 1 ? "is" : "are",
                  shown.what, name_of_bin(evidence, *first), is_last ? "" : " and all behind it",
                  is_last ? zero ? "stays 0" : "is wrong"
                  : zero  ? "stay 0"
                          : "are wrong")};
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

std::optional<Diagnosis> nothing_written(const Evidence& evidence) {
  Samples countable{&evidence.failed};
  for (const std::vector<Sample>* samples : {&evidence.random, &evidence.repeated}) {
    for (const Sample& sample : *samples) countable.push_back(&sample);
  }
  std::erase_if(countable, [](const Sample* s) { return s->countable() == 0; });
  if (!all(countable, [](const Sample& s) { return s.counted() == 0; })) return std::nullopt;
  const auto is_zero = [](const Bins& bins) {
    return std::all_of(bins.begin(), bins.end(), [](auto count) { return count == 0; });
  };
  if (!std::all_of(evidence.fresh.begin(), evidence.fresh.end(), is_zero)) return std::nullopt;
  const Sample& shown = longest(countable);
  return Diagnosis{"nothing_written",
                   fmt::format("`histo` stays 0 in every bin\n  {}: the bins add up to 0 instead of {}",
                               shown.what, facts::separated(shown.countable())),
                   Diagnosis::Tells::sums};
}

// Two results of one input, by the first bin that differs.
std::string difference(const Evidence& evidence, const Bins& one, const Bins& other, const char* where_one,
                       const char* where_other) {
  const std::size_t bin =
      static_cast<std::size_t>(std::mismatch(one.begin(), one.end(), other.begin()).first - one.begin());
  return fmt::format("{}: {} {}, {} {}", name_of_bin(evidence, bin), one[bin], where_one, other[bin],
                     where_other);
}

// Runs that start alike, in processes of their own, and end differently.
std::optional<Diagnosis> not_deterministic(const Evidence& evidence) {
  const std::vector<Bins>& fresh = evidence.fresh;
  const auto other =
      std::find_if(fresh.begin(), fresh.end(), [&](const Bins& bins) { return bins != fresh.front(); });
  const std::string what = "two runs on the same input give different counts\n  ";
  if (other != fresh.end())
    return Diagnosis{"not_deterministic",
                     what + difference(evidence, fresh.front(), *other, "in one run", "in another")};
  // Where memory that earlier launches left behind decides, the first launch of a process is unlike later
  // ones.
  const Sample& failed = evidence.failed;
  if (fresh.empty() && !evidence.from_2_31_on) return std::nullopt;
  if (!fresh.empty() && (fresh.front() != failed.got || !failed.others.empty())) return std::nullopt;
  for (const Sample& sample : evidence.random) {
    if (sample.others.empty()) continue;
    return Diagnosis{"not_deterministic", what + difference(evidence, sample.got, sample.others.front(),
                                                            "in one run", "in another")};
  }
  if (failed.others.empty()) return std::nullopt;
  return Diagnosis{"not_deterministic", what + difference(evidence, failed.got, failed.others.front(),
                                                          "in one run", "in another")};
}

std::optional<Diagnosis> uncleared_counters(const Evidence& evidence) {
  if (evidence.fresh.empty()) return std::nullopt;
  const Bins& first = evidence.fresh.front();
  const Bins* other = first != evidence.failed.got ? &evidence.failed.got : nullptr;
  if (!other && !evidence.failed.others.empty()) other = &evidence.failed.others.front();
  if (!other) return std::nullopt;
  return Diagnosis{
      "uncleared_counters",
      "the counts depend on what memory held before the launch\n  the same input, " +
          difference(evidence, first, *other, "in the first launch of a process", "in a later one")};
}

std::string sums(const Sample& sample) {
  return fmt::format("{}: the bins add up to {} instead of {}", sample.what,
                     facts::separated(sample.counted()), facts::separated(sample.countable()));
}

// One letter again and again, and its whole count stands in another bin.
std::optional<Diagnosis> misplaced(const Evidence& evidence) {
  const auto largest = [](const auto& bins) {
    return static_cast<std::size_t>(std::max_element(bins.begin(), bins.end()) - bins.begin());
  };
  Samples elsewhere = wrong_of(evidence.repeated);
  std::erase_if(elsewhere, [&](const Sample* s) {
    return s->got[largest(s->expected)] != 0 || s->got[largest(s->got)] != s->length ||
           s->counted() != s->length;
  });
  if (elsewhere.empty()) return std::nullopt;
  const Sample& shown = longest(elsewhere);
  return Diagnosis{
      "wrong_bins",
      fmt::format("bytes are counted in the wrong bin\n  {}: all are in {}, none in {}", shown.what,
                  name_of_bin(evidence, largest(shown.got)), name_of_bin(evidence, largest(shown.expected)))};
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

// Counts that are the bits of floating-point numbers: 1.0f is 1065353216.
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

// Counts that are right for another binning, bin by bin.
std::optional<std::string> other_binning(const Evidence& evidence) {
  const Sample* const shown = [&]() -> const Sample* {
    for (const Sample& sample : evidence.random) {
      if (sample.is_wrong() && sample.bytes.size() == sample.length) return &sample;
    }
    return nullptr;
  }();
  if (!shown || shown->counted() == 0) return std::nullopt;
  for (const BinningInfo& other : binnings()) {
    if (other.name == evidence.binning.name) continue;
    std::vector<std::uint32_t> bins(
        std::max<std::size_t>(shown->got.size(), static_cast<std::size_t>(other.bins)));
    for (const unsigned char byte : shown->bytes) {
      if (const int bin = other.bin_of(byte); bin >= 0) ++bins[static_cast<std::size_t>(bin)];
    }
    bins.resize(shown->got.size());
    if (bins == shown->got)
      return fmt::format(
          "bytes are counted as binning {0} does, though the binning is {1}\n  {2}: every bin holds what it "
          "would "
          "with binning {0}",
          other.name, evidence.binning.name, shown->what);
  }
  return std::nullopt;
}

}  // namespace

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

bool wants_more_inputs(const Evidence& evidence) {
  return wrong_of(evidence.random).size() < enough_inputs &&
         (tail_missed(evidence, 1) || only_first_bins(evidence, 1));
}

std::optional<Diagnosis> diagnose(const Evidence& evidence) {
  // From the most fundamental one on: each takes those before it as excluded.
  if (auto found = nothing_written(evidence)) return found;
  if (auto found = not_deterministic(evidence)) return found;
  if (auto found = uncleared_counters(evidence)) return found;
  if (auto found = overflow(evidence)) return found;
  if (auto found = tail_missed(evidence)) return found;
  if (auto found = past_the_end(evidence)) return found;
  if (auto found = only_first_bins(evidence)) return found;
  if (auto found = misplaced(evidence)) return found;
  if (const Samples wrong = wrong_and_counted(evidence); !wrong.empty()) {
    auto found = by_sums(evidence, wrong);
    return found ? found : by_position(evidence);
  }
  if (auto found = counts_other_bytes(evidence)) return found;
  if (!evidence.failed.is_wrong()) return std::nullopt;
  Samples mixed = wrong_of(evidence.mixed);
  mixed.insert(mixed.begin(), &evidence.failed);
  return by_sums(evidence, mixed);
}

std::optional<Diagnosis> diagnose(const std::vector<Evidence>& evidence) {
  const auto rank = [](const Diagnosis& diagnosis) {
    return std::find(ranked_names.begin(), ranked_names.end(), diagnosis.name);
  };
  std::optional<Diagnosis> best;
  for (const Evidence& under_one_binning : evidence) {
    auto found = diagnose(under_one_binning);
    // Neither is a diagnosis of its own, but each says more than one does.
    const auto cause =
        floats_in(under_one_binning) ? floats_in(under_one_binning) : other_binning(under_one_binning);
    if (cause) found = Diagnosis{found ? found->name : "", *cause};
    if (found && (!best || rank(*found) < rank(*best))) best = std::move(found);
  }
  return best;
}

}  // namespace histogram
