// SPDX-License-Identifier: MIT
#include "report/page/labs.hpp"

#include <algorithm>
#include <tuple>

#include "report/page/gnuplot.hpp"

namespace report::page {

namespace {

using measure::Record;
using workbook::ExerciseInfo;

// The place of the exercise among the problem's kernels; of a variant that of the exercise before its dash,
// or else of its lab's first one.
int place_of(const ExerciseInfo& wanted) {
  int place = 0, of_lab = -1;
  for (const ExerciseInfo& exercise : workbook::here().exercises) {
    if (exercise.problem != wanted.problem || !exercise.launched) continue;
    if (exercise.lab == wanted.lab && exercise.name == wanted.exercise_name()) return place;
    if (exercise.lab == wanted.lab && of_lab < 0) of_lab = place;
    ++place;
  }
  return std::max(of_lab, 0);
}

}  // namespace

int series_of(const Record& record) {
  if (record.is_peer()) return peer_series;
  if (!traits_of(record.backend).launches) return host_series;
  return place_of(record.exercise) % series_count;
}

std::string css_colour(int series) {
  if (series == peer_series) return "var(--ink)";
  if (series == host_series) return "var(--muted)";
  return "var(--series-" + std::to_string(series % series_count + 1) + ")";
}

std::string plot_colour(int series) {
  if (series == peer_series) return std::string(ink);
  return series == host_series ? std::string(muted) : series_colour(series);
}

bool is_variant(const Record& record) { return record.exercise.is_variant(); }

bool is_lab(const Record& record) {
  return !record.is_peer() && traits_of(record.backend).launches && !is_variant(record);
}

std::string short_title(const Record& record) {
  return record.is_peer() ? title_of(record) : measure::short_name(record.exercise);
}

bool is_usual(const Record& record) {
  const problems::Reference& reference = problems::reference_of(record.exercise.problem);
  return record.variant == reference.problem().variants().front().name &&
         record.input == reference.ladder_inputs().front();
}

const measure::Ladder* story_ladder(const std::vector<measure::Ladder>& ladders) {
  const auto worth = [](const measure::Ladder& ladder) {
    const Record& lab = ladder.lab();
    return std::tuple(ladder.timed, is_usual(lab), !lab.warm_cache, lab.tree == "student", lab.time);
  };
  const auto best = std::ranges::max_element(ladders, {}, worth);
  return best == ladders.end() ? nullptr : &*best;
}

}  // namespace report::page
