// SPDX-License-Identifier: MIT
#include "report/page/axes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/numbers.hpp"

namespace report::page {

namespace {

// The marks 1, 2, 5, 10, ... or 1, 10, ... that lie around a range, the first not above it and the last not
// below.
std::vector<double> marks_around(double least, double most, bool between) {
  std::vector<double> marks;
  for (double power = std::pow(10, std::floor(std::log10(least)));; power *= 10) {
    for (const double digit : {1.0, 2.0, 5.0}) {
      if (digit > 1 && !between) continue;
      const double mark = digit * power;
      if (!marks.empty() && mark <= least) marks.clear();
      marks.push_back(mark);
      if (mark >= most) return marks;
    }
  }
}

}  // namespace

double ValueAxis::fraction(double value) const {
  if (!logarithmic) return (value - from) / (to - from);
  return std::log(std::max(value, from) / from) / std::log(to / from);
}

std::string ValueAxis::commands() const {
  return fmt::format("{}set yrange [{:.6g}:{:.6g}]\n{}",
                     logarithmic ? "set logscale y\nset format y '%g'\n" : "", from, to,
                     tics.empty() ? std::string() : fmt::format("set ytics ({})\n", tics));
}

ValueAxis throughput_axis(const Range& range) {
  constexpr double narrow = 40;  // then decades alone would be too few
  const std::vector<double> marks = marks_around(range.least, range.most, range.most / range.least < narrow);
  ValueAxis axis{std::min(marks.front(), range.least / 1.1), std::max(marks.back(), range.most * 1.1), true};
  for (const double gb_s : marks) {
    const std::string text = gb_s < 0.999 ? si_text(1000 * gb_s) + " MB/s"
                             : gb_s < 999 ? si_text(gb_s) + " GB/s"
                                          : si_text(gb_s / 1000) + " TB/s";
    axis.tics += fmt::format("{}{} {:.6g}", axis.tics.empty() ? "" : ", ", plot_string(text), gb_s);
  }
  return axis;
}

ValueAxis count_axis(const Range& range) {
  constexpr double too_wide = 50;
  if (range.least > 0 && range.most / range.least > too_wide)
    return {range.least / 1.5, range.most * 1.5, true};
  return {0, range.most > 0 ? range.most * 1.1 : 1};
}

std::string end_labels(std::vector<EndLabel> labels, const ValueAxis& axis) {
  constexpr double apart = 0.065;  // of the axis: a line of text
  std::ranges::stable_sort(labels, {}, &EndLabel::value);
  std::vector<double> places;
  for (const EndLabel& label : labels) {
    const double wanted = std::clamp(axis.fraction(label.value), 0.0, 1.0);
    places.push_back(places.empty() ? wanted : std::max(wanted, places.back() + apart));
  }
  // Pushed over the top: back down again, from the top.
  for (std::size_t i = places.size(); i-- > 0;)
    places[i] = std::min(places[i], i + 1 == places.size() ? 1.0 : places[i + 1] - apart);
  std::string commands;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    commands += fmt::format("set label {} at graph 1.02, graph {:.3f} left textcolor rgb '{}'\n",
                            plot_string(labels[i].text), places[i], labels[i].colour);
    longest = std::max(longest, labels[i].text.size());
  }
  // gnuplot means its widest letters.
  return fmt::format("set rmargin {}\n{}", 2 + longest * 4 / 5, commands);
}

std::string hover_string(std::string_view text) {
  const std::string quoted = plot_string(text);
  return '"' + quoted.substr(1, quoted.size() - 2) + '"';
}

}  // namespace report::page
