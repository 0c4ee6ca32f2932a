// SPDX-License-Identifier: MIT
// The plots with two axes: sweeps and the roofline.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <set>

#include "measure/sweep.hpp"
#include "report/page/numbers.hpp"
#include "report/page/plots.hpp"

namespace report::page {

namespace {

constexpr int points_height = 420;

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void include(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
};

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
  const double median = throughput_gb_s(point, point.time_ms->median),
               low = throughput_gb_s(point, point.time_ms->q3),
               high = throughput_gb_s(point, point.time_ms->q1);
  range.include(low);
  range.include(high);
  return fmt::format("{} {:.6g} {:.6g} {:.6g}\n", point.value, median, low, high);
}

std::string counted_point(const Record& point, Range& range) {
  const double counted = counted_of(point);
  range.include(counted);
  return fmt::format("{} {:.6g}\n", point.value, counted);
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

// Number and, where a lab has several exercises, the first letter: what fits beside a point.
std::string short_title(const Record& record) {
  const std::string number = record.lab.substr(0, record.lab.find('_'));
  return record.exercise == "histogram" ? number : number + record.exercise.substr(0, 1);
}

std::string slanted_roof(double rate, double limit, const std::string& title) {
  if (rate == 0) return {};
  return fmt::format(
      ", ({0:.6g}/x < {1:.6g} ? {0:.6g}/x : 1/0) linecolor rgb '{2}' linewidth 1.6 dashtype 4 title {3}",
      rate, limit, roof, plot_string(title));
}

}  // namespace

std::string unit_of(const Sweep& sweep) {
  const auto kind = measure::find_sweep(sweep.name());
  return kind ? std::string(measure::unit_of(*kind)) : sweep.name();
}

std::string measure_of(const Sweep& sweep) {
  if (sweep.timed) return "GB/s";
  return sweep.name() == "contention" ? "turns a shared atomic of a warp" : "global atomics a byte";
}

Plot sweep_plot(const Sweep& sweep) {
  std::set<std::uint64_t> values;
  Range range;
  std::string data, drawn;
  for (std::size_t i = 0; i < sweep.curves.size(); ++i) {
    data += fmt::format("$curve{} << END\n", i);
    for (const Record& point : sweep.curves[i].points) {
      values.insert(point.value);
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
  return {
      fmt::format("{} over {}, a curve for each exercise", measure, unit), points_height + 24 * keys,
      fmt::format("set xlabel {} offset 0,0.4 textcolor rgb '{ink}'\nset ylabel {} textcolor rgb "
                  "'{ink}'\nset key below maxrows "
                  "{}\n{}{}{}plot {}\n",
                  plot_string(unit), plot_string(measure), keys, value_tics(values, sweep.name() == "length"),
                  value_axis(range), data, drawn, fmt::arg("ink", ink))};
}

Plot roofline_plot(const Roofline& roofline) {
  Range across, up;
  up.include(roofline.read_limit_gb_s);
  std::vector<std::string> inputs;
  for (const RooflinePoint& point : roofline.points) {
    across.include(point.atomics_a_byte);
    up.include(point.gb_s);
    if (std::ranges::find(inputs, point.measured.input) == inputs.end())
      inputs.push_back(point.measured.input);
  }
  std::string data, drawn;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    data += fmt::format("$input{} << END\n", i);
    for (const RooflinePoint& point : roofline.points) {
      if (point.measured.input == inputs[i])
        data += fmt::format("{:.6g} {:.6g} \"{}\"\n", point.atomics_a_byte, point.gb_s,
                            short_title(point.measured));
    }
    data += "END\n";
    const int series = static_cast<int>(i);
    drawn += fmt::format(
        ", $input{0} using 1:2 with points linecolor rgb '{1}' pointtype {2} pointsize 1.1 title {3}, "
        "$input{0} using 1:2:3 with labels "
        "{5} textcolor rgb '{4}' notitle",
        i, series_colour(series), 5 + 2 * (series % 4), plot_string(inputs[i]), ink,
        i % 2 == 0 ? "left offset 0.8,0" : "right offset -0.8,0");
  }
  const double limit = roofline.read_limit_gb_s;
  const int keys = static_cast<int>(inputs.size()) / 2 + 3;
  return {
      "Throughput of the labs over their atomics a byte, below the limit of reading and the highest rates of "
      "atomics",
      points_height + 24 * keys,
      fmt::format(
          "set logscale xy\nset format '%g'\nset samples 400\nset xrange [{:.6g}:{:.6g}]\nset yrange "
          "[{:.6g}:{:.6g}]\n"
          "set xlabel 'atomics a byte' offset 0,0.4 textcolor rgb '{ink}'\nset ylabel 'GB/s' textcolor rgb "
          "'{ink}'\nset key below maxrows "
          "{}\n{}"
          "plot {:.6g} linecolor rgb '{roof}' linewidth 2 title {}{}{}{}\n",
          across.least / 4, across.most * 4, up.least / 3, limit * 2.5, keys, data, limit,
          plot_string("reading alone, " + throughput_text(limit)),
          slanted_roof(roofline.shared_rate, limit,
                       fmt::format("{} billion shared atomics a second", number_text(roofline.shared_rate))),
          slanted_roof(roofline.global_rate, limit,
                       fmt::format("{} billion global atomics a second", number_text(roofline.global_rate))),
          drawn, fmt::arg("ink", ink), fmt::arg("roof", roof))};
}

}  // namespace report::page
