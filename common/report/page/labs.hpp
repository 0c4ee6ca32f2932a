// SPDX-License-Identifier: MIT
// How all of the page shows a lab: always in the same colour and under the same short name; and by which of
// several ladders the page tells its story.
#pragma once

#include <string>

#include "measure/ladder.hpp"

namespace report::page {

// The colour of an exercise: a series of its problem's kernels in their order (gnuplot.hpp); a variant has
// the colour of its exercise.
enum : int { host_series = -1, peer_series = -2 };  // runs on the CPU; belongs to no lab
int series_of(const measure::Record& record);

// That series as a value of CSS, and as gnuplot's `rgb` takes it.
std::string css_colour(int series);
std::string plot_colour(int series);

// Another version of an exercise's solution: not part of the story, but of what is folded away.
bool is_variant(const measure::Record& record);

// A lab whose kernel was launched, and which the story is about.
bool is_lab(const measure::Record& record);

// "03", "05/contiguous": the lab's number, and the exercise's name where a lab has several.
std::string short_title(const measure::Record& record);

// The usual setting is the problem's first variant with the first input of its ladder.
bool is_usual(const measure::Record& record);

// Of the usual setting where there is one, times before counts, the student's own before the solutions, of
// equals the newest; null if there is none.
const measure::Ladder* story_ladder(const std::vector<measure::Ladder>& ladders);

}  // namespace report::page
