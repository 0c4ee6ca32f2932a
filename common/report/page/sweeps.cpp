// SPDX-License-Identifier: MIT
// Sweeps: a plot with a curve for each exercise, and its points as a table. Those of contention have a
// section of their own.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "facts/words.hpp"
#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using measure::Curve;
using measure::Record;
using measure::Sweep;
using Align = HtmlTable::Align;

// "threads per block", or the sweep's name where it is not known here.
std::string unit_of(const Sweep& sweep) {
  return std::string(measure::unit_of(kind_of(sweep.first()), sweep.first().exercise));
}

std::string measure_of(const Sweep& sweep) {
  return std::string(sweep.timed ? "GB/s" : counted_unit(sweep.first()));
}

// A number at the axis for each value, or where these are many for every second, third, ...
std::string value_tics(const std::set<std::uint64_t>& values, bool bytes) {
  constexpr std::size_t most_tics = 8;
  const std::size_t step = (values.size() + most_tics - 1) / most_tics;
  std::string tics;
  std::size_t i = 0;
  for (const std::uint64_t value : values) {
    if (i++ % step == 0)
      tics +=
          fmt::format("{}{} {}", tics.empty() ? "" : ", ",
                      bytes ? plot_string(short_number(value)) : plot_string(std::to_string(value)), value);
  }
  constexpr double margin = 1.15;  // for half a point at either end
  return fmt::format("set logscale x 2\nset xtics ({})\nset xrange [{:.6g}:{:.6g}]\n", tics,
                     static_cast<double>(*values.begin()) / margin,
                     static_cast<double>(*values.rbegin()) * margin);
}

// The point, and its quartiles: the longer time is the lower throughput.
std::string timed_point(const Record& point, Range& range) {
  const double median = throughput_gb_s(point), low = throughput_gb_s(point, point.time_ms->q3),
               high = throughput_gb_s(point, point.time_ms->q1);
  range.include(low);
  range.include(high);
  return fmt::format("{} {:.6g} {:.6g} {:.6g}\n", point.sweep->value, median, low, high);
}

std::string counted_point(const Record& point, Range& range) {
  const double value = measure::counted(point).value_or(0);
  range.include(value);
  return fmt::format("{} {:.6g}\n", point.sweep->value, value);
}

// From 0 on, unless the smallest would then not be told from it.
std::string value_axis(const Range& range) {
  constexpr double too_wide = 50;
  if (range.least > 0 && range.most / range.least > too_wide) {
    return fmt::format("set logscale y\nset format y '%g'\nset yrange [{:.6g}:{:.6g}]\n", range.least / 1.5,
                       range.most * 1.5);
  }
  return fmt::format("set yrange [0:{:.6g}]\n", range.most > 0 ? range.most * 1.1 : 1);
}

Plot sweep_plot(const Sweep& sweep) {
  std::set<std::uint64_t> values;
  Range range;
  std::string data, drawn;
  for (std::size_t i = 0; i < sweep.curves.size(); ++i) {
    data += fmt::format("$curve{} << END\n", i);
    for (const Record& point : sweep.curves[i].points) {
      values.insert(point.sweep->value);
      data += sweep.timed ? timed_point(point, range) : counted_point(point, range);
    }
    data += "END\n";
    const int series = static_cast<int>(i);
    drawn += fmt::format(
        "{}$curve{} {} linecolor rgb '{}' linewidth 1.6 pointtype {} pointsize 0.7 title {}", i ? ", " : "",
        i, sweep.timed ? "using 1:2:3:4 with yerrorlines" : "using 1:2 with linespoints",
        series_colour(series), 5 + 2 * (series % 4), plot_string(title_of(sweep.curves[i].points.front())));
  }
  const std::string measure = measure_of(sweep), unit = unit_of(sweep);
  const int keys = static_cast<int>(sweep.curves.size() + 2) / 3;
  return {fmt::format("{} over {}, a curve for each exercise", measure, unit), points_height + 24 * keys,
          fmt::format("set xlabel {} offset 0,0.4 textcolor rgb '{ink}'\nset ylabel {} textcolor rgb "
                      "'{ink}'\nset key below maxrows "
                      "{}\n{}{}{}plot {}\n",
                      plot_string(unit), plot_string(measure), keys,
                      value_tics(values, kind_of(sweep.first()).varies_length()), value_axis(range), data,
                      drawn, fmt::arg("ink", ink))};
}

std::string caption_of(const Sweep& sweep) {
  const problems::Reference& reference = problems::reference_of(sweep.first().exercise.problem);
  const bool of_contention = kind_of(sweep.first()).varies_input();
  if (sweep.timed && of_contention) {
    return fmt::format(
        "Higher is faster. Fewer {}, on the left, means that more threads want the same counter at the same "
        "time; a flat curve is not slowed down by that.",
        reference.contention_unit());
  }
  if (sweep.timed)
    return "Higher is faster; the whiskers are the quartiles, and hide behind their point where samples "
           "agree.";
  if (of_contention) {
    return fmt::format(
        "Lower is better: how many turns the lanes of a warp take for one shared atomic, 1 at best. The "
        "fewer "
        "{}s are in use, on the left, the more lanes want the same counter.",
        reference.bar_word());
  }
  return std::string(reference.sweep_plot().caption) + " The simulator counts and is not timed.";
}

// "1,024", and of a length in bytes "64 KiB"
std::string value_text(const Record& point) {
  const bool in_bytes = kind_of(point).varies_length() && point.bytes() == point.length;
  return in_bytes ? bytes_text(point.bytes()) : facts::separated(point.sweep->value);
}

std::string sweep_table(const Sweep& sweep) {
  std::vector<HtmlTable::Column> columns{{"", Align::left}, {unit_of(sweep)}, {measure_of(sweep)}};
  if (sweep.timed) columns.insert(columns.end(), {{"ms"}, {"quartiles, ms"}});
  HtmlTable table(columns);
  for (const Curve& curve : sweep.curves) {
    for (const Record& point : curve.points) {
      if (sweep.timed) {
        const auto& time = *point.time_ms;
        table.add({title_of(point), value_text(point), number_text(throughput_gb_s(point)),
                   time_text(time.median), time_text(time.q1) + " – " + time_text(time.q3)});
      } else {
        table.add({title_of(point), value_text(point), number_text(measure::counted(point).value_or(0))});
      }
    }
  }
  return table.html("Points of the sweep");
}

// The curves, with their numbers folded away; the numbers alone where nothing can be drawn.
std::string one_sweep(const Sweep& sweep, Plotter& plotter) {
  const std::string title =
      fmt::format("<h3>{}{}: {}</h3>\n", escaped(capitalised(unit_of(sweep))),
                  sweep.timed ? "" : ", on the simulator", escaped(setting_text(sweep.first())));
  const std::string drawn = figure(plotter, sweep_plot(sweep), caption_of(sweep)), table = sweep_table(sweep);
  if (drawn.empty()) return title + table;
  return title + drawn + folded("The numbers", table);
}

std::string those_of(const std::vector<Sweep>& sweeps, bool of_contention, Plotter& plotter) {
  std::string html;
  for (const Sweep& sweep : sweeps) {
    if (kind_of(sweep.first()).varies_input() == of_contention) html += one_sweep(sweep, plotter);
  }
  return html;
}

}  // namespace

std::string sweep_section(const Material& material, Plotter& plotter) {
  const std::string html = those_of(material.sweeps, false, plotter);
  return html.empty() ? nothing_yet(bench_command(material.problem, "--sweep block")) : html;
}

std::string contention_section(const Material& material, Plotter& plotter) {
  const std::string html = those_of(material.sweeps, true, plotter);
  const problems::Problem& problem = material.problem;
  const bool has_levels =
      !problems::reference_of(problem.name()).contention_levels(problem.variants().front().name).empty();
  return html.empty() && has_levels ? nothing_yet(bench_command(problem, "--sweep contention")) : html;
}

}  // namespace report::page
