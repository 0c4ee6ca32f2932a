// SPDX-License-Identifier: MIT
// What each lab gained over the one before, beside the quantities that fell and rose most between the two.
// Nobody says which counter explains a step: of those that the problem's tables show of both labs, and of
// what a profiler measured of both, the one is named whose ratio is the largest.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "measure/ncu/metrics.hpp"
#include "report/numbers.hpp"
#include "report/page/labs.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

// Counts are compared by their ratio; averages of warps and lanes, which a profiler measures, by their
// difference.
enum class Kind { count, average };

// A lab's quantities by source and title. Below `least` a quantity plays no part, so what falls to nothing
// does so by a finite ratio.
struct Quantity {
  double value, least;
};
using Quantities = std::map<std::pair<Kind, std::string>, Quantity>;

constexpr double least_a_byte = 0.001, least_average = 0.5;

// What the simulator counted, or a profiler, over the input: per byte.
void add_counters(Quantities& quantities, const Record& counted, const facts::Counters& counters) {
  const auto bytes = static_cast<double>(counted.bytes());
  const problems::Reference& reference = problems::reference_of(counted.exercise.problem);
  for (const problems::CountedColumn& column : reference.counted_columns()) {
    const std::string title(column.title);
    if (const auto counter = counters.find(column.counter))
      quantities[{Kind::count, title + " per byte"}] = {static_cast<double>(*counter) / bytes, least_a_byte};
    else if (const auto derived = facts::find_figure(column.counter, counters))
      quantities[{Kind::count, title}] = {*derived, least_average};
  }
}

bool is_of_same_setting(const Record& one, const Record& other) {
  return one.exercise.is_same(other.exercise) && one.tree == other.tree && one.variant == other.variant &&
         one.input == other.input;
}

// Profiles of both exercises on the same input and length: as long as possible, and of equals the newest;
// null where there are none.
std::pair<const Record*, const Record*> profiles_of_both(const Record& before, const Record& after,
                                                         const std::vector<Record>& records) {
  std::pair<const Record*, const Record*> best{nullptr, nullptr};
  const auto is_profile_of = [](const Record& measured, const Record& other) {
    return other.kind == "profile" && traits_of(other.backend).accelerator && other.passed() &&
           other.bytes() > 0 && is_of_same_setting(measured, other);
  };
  for (const Record& one : records) {
    if (!is_profile_of(before, one)) continue;
    for (const Record& other : records) {
      if (other.length != one.length || !is_profile_of(after, other)) continue;
      if (!best.first || one.length >= best.first->length) best = {&one, &other};
    }
  }
  return best;
}

// Sums are per byte, averages as they are; what has a unit of its own says how fast, not why.
void add_figures(Quantities& quantities, const Record& profile) {
  for (const facts::Quantity& figure : measure::measured_figures()) {
    const auto value = profile.figures.find(std::string(figure.name));
    if (value == profile.figures.end() || !figure.unit.empty()) continue;
    // "warps that waited for global memory", without ", for each instruction issued".
    const std::string_view meaning = figure.meaning.substr(
        0, std::min(figure.meaning.find(", for each"), figure.meaning.find(", on average")));
    if (figure.sum.begin()->name.ends_with(".sum"))
      quantities[{Kind::count, std::string(meaning) + " per byte"}] = {
          value->second / static_cast<double>(profile.bytes()), least_a_byte};
    else
      quantities[{Kind::average, std::string(meaning)}] = {value->second, least_average};
  }
}

// Of two labs, from the same source.
std::pair<Quantities, Quantities> quantities_of(const Record& before, const Record& after,
                                                const Material& material) {
  std::pair<Quantities, Quantities> both;
  const Record *const count_before = counted_like(before, material.counts), *const count_after = counted_like(
                                                                                after, material.counts);
  const auto [profile_before, profile_after] = profiles_of_both(before, after, material.records);
  if (profile_before && profile_after) {
    add_counters(both.first, *profile_before, profile_before->counters);
    add_counters(both.second, *profile_after, profile_after->counters);
    add_figures(both.first, *profile_before);
    add_figures(both.second, *profile_after);
  }
  // Of the very launches that were timed: they stand before what was profiled over a shorter input.
  if (count_before && count_after) {
    add_counters(both.first, *count_before, count_before->counters);
    add_counters(both.second, *count_after, count_after->counters);
  }
  return both;
}

// By how much more than a tenth it rose, or fell; 0: by less.
double weight_of(const Change& change, double least, Kind kind, bool rising) {
  constexpr double worth_a_word = 1.1;
  const double before = std::max(change.before, least), after = std::max(change.after, least);
  const double ratio = rising ? after / before : before / after;
  if (ratio <= worth_a_word) return 0;
  return kind == Kind::count ? ratio : std::abs(after - before);
}

// Of each kind the one that changed most in a direction.
std::vector<Change> largest_changes(const std::pair<Quantities, Quantities>& both, bool rising) {
  std::map<Kind, std::pair<double, Change>> largest;
  for (const auto& [key, before] : both.first) {
    const auto after = both.second.find(key);
    if (after == both.second.end()) continue;
    const Change change{key.second, before.value, after->second.value};
    const double weight = weight_of(change, before.least, key.first, rising);
    if (weight > largest[key.first].first) largest[key.first] = {weight, change};
  }
  std::vector<Change> changes;
  for (const auto& [kind, change] : largest) {
    if (change.first > 0) changes.push_back(change.second);
  }
  return changes;
}

// Small numbers are told from 0, and no further.
std::string quantity_text(double value) {
  return value > 0 && value < least_a_byte ? "< 0.001" : number_text(value);
}

// "global atomics per byte fell from 1 to 0.0312; ..."
std::string changes_text(const Step& step) {
  std::string text;
  for (const auto& [changes, verb] : {std::pair(&step.fell, "fell"), std::pair(&step.rose, "rose")}) {
    for (const Change& change : *changes)
      text += fmt::format("{}{} {} from {} to {}", text.empty() ? "" : "; ", change.quantity, verb,
                          quantity_text(change.before), quantity_text(change.after));
  }
  return text;
}

}  // namespace

std::vector<Step> steps(const Ladder& ladder, const Material& material) {
  std::vector<Step> found;
  const Record* before = nullptr;
  for (const measure::Rung& rung : ladder.rungs) {
    const Record& record = rung.record;
    if (!record.is_timed() || !is_lab(record)) continue;
    if (before && rung.over_before) {
      const auto both = quantities_of(*before, record, material);
      found.push_back(
          {*before, record, *rung.over_before, largest_changes(both, false), largest_changes(both, true)});
    }
    before = &record;
  }
  return found;
}

std::string step_section(const Material& material, Plotter&) {
  const Ladder* const ladder = story_ladder(material.ladders);
  if (!ladder) return {};
  if (!ladder->timed)
    return paragraph(
               "What the simulator counts of each lab; it is not timed. On a machine with a GPU the times "
               "stand "
               "beside it: " +
               code(bench_command(material.problem))) +
           counted_table(*ladder) + estimate_table(*ladder);
  const std::vector<Step> all = steps(*ladder, material);
  if (all.empty()) return {};
  const bool explained =
      std::ranges::any_of(all, [](const Step& step) { return !step.fell.empty() || !step.rose.empty(); });
  std::vector<HtmlTable::Column> columns{{"step", Align::left}, {"factor"}};
  if (explained) columns.push_back({"what changed most", Align::prose});
  HtmlTable table(columns);
  for (const Step& step : all)
    table.add({short_title(step.before) + " → " + short_title(step.after),
               fmt::format("{}× {}", step.gain.claimed ? "" : "~", number_text(step.gain.times)),
               changes_text(step)},
              step.gain.times < 1 ? "slower" : "");
  const std::string words =
      explained
          ? "The factor from each lab to the next, and which of the counters of both changed most. What the "
            "simulator counted is of the launches that were timed, what a profiler measured of a shorter "
            "input; "
            "below 0.001 per byte a counter plays no part."
          : "The factor from each lab to the next. Which counters changed is shown once the simulator has "
            "counted "
            "these launches, or a profiler.";
  return paragraph(words) + table.html("What each step gained");
}

}  // namespace report::page
