// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "facts/words.hpp"
#include "problems/histogram/diagnoses.hpp"
#include "problems/histogram/mistakes.hpp"

namespace histogram {

namespace {

// From the most fundamental one on. Counts that lack multiples of 256 are too low as well, and the end of
// what 32 bits can number is an end too: so `overflow`, which says more, is asked for before what would fit
// besides.
constexpr std::array<std::string_view, 11> ranked_names{
    "nothing_written", "not_deterministic",  "uncleared_counters", "overflow",
    "tail_missed",     "past_the_end",       "only_first_bins",    "double_counting",
    "lost_updates",    "counts_other_bytes", "wrong_bins"};

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

}  // namespace

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
    // What an earlier launch has left may keep all others from counting, whatever their binning.
    const bool is_known_to_depend =
        best && (best->name == "uncleared_counters" || best->name == "not_deterministic");
    if (is_known_to_depend && found && found->name == "nothing_written" && under_one_binning.fresh.empty())
      continue;
    // Neither is a diagnosis of its own, but each says more than one does.
    const auto cause =
        floats_in(under_one_binning) ? floats_in(under_one_binning) : other_binning(under_one_binning);
    if (cause) found = Diagnosis{found ? found->name : "", *cause};
    if (found && (!best || rank(*found) < rank(*best))) best = std::move(found);
  }
  return best;
}

}  // namespace histogram
