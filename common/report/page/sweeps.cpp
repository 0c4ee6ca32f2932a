// SPDX-License-Identifier: MIT
// Sweeps: a plot with a curve for each exercise, labelled at its end, and its points as a table. Contention
// and the block size stand side by side; all others are folded away.
#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "facts/words.hpp"
#include "report/numbers.hpp"
#include "report/page/axes.hpp"
#include "report/page/labs.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using measure::Curve;
using measure::Sweep;
using Align = HtmlTable::Align;

// What is shown of a sweep: throughputs that were measured or estimated, or what the simulator counted.
enum class Shown { measured, estimated, counted };

Shown what_of(const Sweep& sweep) { return sweep.timed ? Shown::measured : Shown::counted; }

// "threads per block", or the sweep's name where it is not known here.
std::string unit_of(const Sweep& sweep) {
  return std::string(measure::unit_of(kind_of(sweep.first()), sweep.first().exercise));
}

std::string measure_of(const Sweep& sweep, Shown shown) {
  return std::string(shown == Shown::counted     ? counted_unit(sweep.first())
                     : shown == Shown::estimated ? "estimated throughput"
                                                 : "throughput");
}

// "1,024", and of a length in bytes "64 KiB"
std::string value_text(const Record& point) {
  const bool in_bytes = kind_of(point).varies_length() && point.bytes() == point.length;
  return in_bytes ? bytes_text(point.bytes()) : facts::separated(point.sweep->value);
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

double height_of(const Record& point, Shown shown) {
  return shown == Shown::measured    ? throughput_gb_s(point)
         : shown == Shown::estimated ? estimated_gb_s(point)
                                     : measure::counted(point).value_or(0);
}

std::string hover_of(const Sweep& sweep, const Record& point, Shown shown) {
  const double value = height_of(point, shown);
  std::string words = fmt::format("{}, {} {}: {}", title_of(point), value_text(point), unit_of(sweep),
                                  shown == Shown::counted ? number_text(value) : throughput_text(value));
  if (shown == Shown::estimated) words += ", estimated";
  if (shown == Shown::measured) words += fmt::format(", {} samples", point.time_ms->samples);
  return words;
}

// The point, its quartiles or the estimate's range (the longer time is the lower throughput), and what it
// says on hover.
std::string point_line(const Sweep& sweep, const Record& point, Shown shown, Range& range) {
  const double value = height_of(point, shown);
  double low = value, high = value;
  if (shown == Shown::measured) {
    low = throughput_gb_s(point, point.time_ms->q3);
    high = throughput_gb_s(point, point.time_ms->q1);
  } else if (shown == Shown::estimated) {
    low = estimated_gb_s(point, point.estimate->high);
    high = estimated_gb_s(point, point.estimate->low);
  }
  range.include(low);
  range.include(high);
  return fmt::format("{} {:.6g} {:.6g} {:.6g} {}\n", point.sweep->value, value, low, high,
                     hover_string(hover_of(sweep, point, shown)));
}

// Estimates are dashed.
Plot sweep_plot(const Sweep& sweep, Shown shown) {
  std::set<std::uint64_t> values;
  Range range;
  std::string data, drawn;
  std::vector<EndLabel> labels;
  for (std::size_t i = 0; i < sweep.curves.size(); ++i) {
    data += fmt::format("$curve{} << END\n", i);
    for (const Record& point : sweep.curves[i].points) {
      values.insert(point.sweep->value);
      data += point_line(sweep, point, shown, range);
    }
    data += "END\n";
    const Record& last = sweep.curves[i].points.back();
    const std::string colour = plot_colour(series_of(last));
    drawn += fmt::format(
        "{0}$curve{1} using 1:2 with lines linecolor rgb '{2}' linewidth 2{3} notitle, "
        "$curve{1} using 1:2:3:4 with yerrorbars linecolor rgb '{2}' linewidth 1.4 pointtype 7 pointsize 0.2 "
        "notitle, "
        "$curve{1} using 1:2:5 with labels hypertext point pointtype 7 pointsize 0.8 linecolor rgb '{2}' "
        "notitle",
        i ? ", " : "", i, colour, shown == Shown::estimated ? " dashtype 2" : "");
    labels.push_back({short_title(last), colour, height_of(last, shown)});
  }
  const std::string unit = unit_of(sweep);
  const ValueAxis axis = shown == Shown::counted ? count_axis(range) : throughput_axis(range);
  return {fmt::format("{} over {}, a curve for each exercise", capitalised(measure_of(sweep, shown)), unit),
          points_height,
          fmt::format("unset key\nset xlabel {} offset 0,0.4 textcolor rgb '{}'\n{}{}{}{}plot {}\n",
                      plot_string(unit), ink, value_tics(values, kind_of(sweep.first()).varies_length()),
                      axis.commands(), end_labels(std::move(labels), axis), data, drawn)};
}

std::string caption_of(const Sweep& sweep) {
  const problems::Reference& reference = problems::reference_of(sweep.first().exercise.problem);
  const bool of_contention = kind_of(sweep.first()).varies_input();
  std::string setting = fmt::format(
      "{}: {}. ", sweep.timed ? "Throughput" : "On the simulator, " + measure_of(sweep, what_of(sweep)),
      setting_text(sweep.first()));
  for (const Curve& curve : sweep.curves) {
    const Record& point = curve.points.front();
    if (point.length != sweep.first().length && !kind_of(point).varies_length())
      setting += fmt::format("{} over {}. ", short_title(point), bytes_text(point.bytes()));
  }
  if (sweep.timed && of_contention) {
    return setting +
           fmt::format(
               "Higher is faster. Fewer {}, on the left, means that more threads want the same counter at "
               "the same time; a flat curve is not slowed down by that.",
               reference.contention_unit());
  }
  if (sweep.timed)
    return setting + "Higher is faster; whiskers are quartiles, hidden by their point where samples agree.";
  if (of_contention) {
    return setting +
           fmt::format(
               "Lower is better: how many turns the lanes of a warp take for one shared atomic, 1 at best. "
               "The fewer {}s are in use, on the left, the more lanes want the same counter.",
               reference.bar_word());
  }
  return setting + std::string(reference.sweep_plot().caption) + " The simulator counts and is not timed.";
}

std::string sweep_table(const Sweep& sweep) {
  std::vector<HtmlTable::Column> columns{
      {"", Align::left}, {unit_of(sweep)}, {measure_of(sweep, what_of(sweep))}};
  if (sweep.timed) columns.insert(columns.end(), {{"time"}, {"quartiles"}, {"samples"}});
  HtmlTable table(columns);
  for (const Curve& curve : sweep.curves) {
    for (const Record& point : curve.points) {
      if (sweep.timed) {
        const auto& time = *point.time_ms;
        table.add({title_of(point), value_text(point), throughput_text(throughput_gb_s(point)),
                   duration_text(time.median, 4),
                   duration_text(time.q1, 4) + " – " + duration_text(time.q3, 4),
                   std::to_string(time.samples)});
      } else {
        table.add({title_of(point), value_text(point), number_text(measure::counted(point).value_or(0))});
      }
    }
  }
  return table.html("Points of the sweep");
}

std::string title_of_sweep(const Sweep& sweep) {
  const bool of_contention = kind_of(sweep.first()).varies_input();
  return (of_contention ? "Contention: " : "") +
         (of_contention ? unit_of(sweep) : capitalised(unit_of(sweep)));
}

// With curves of labs that were swept in the same setting but over another length: throughputs may stand side
// by side.
Sweep completed(Sweep sweep, const std::vector<Sweep>& all) {
  const Record& first = sweep.first();
  const std::string name = sweep.name(), tree = first.tree, variant = first.variant, input = first.input;
  const bool any_input = kind_of(first).varies_input(), warm = first.warm_cache;
  for (const Sweep& other : all) {
    const Record& point = other.first();
    if (!sweep.timed || !other.timed || other.name() != name || point.tree != tree ||
        point.variant != variant || (!any_input && point.input != input) || point.warm_cache != warm)
      continue;
    for (const Curve& curve : other.curves) {
      const auto is_same = [&](const Curve& known) {
        return known.points.front().exercise.is_same(curve.points.front().exercise);
      };
      if (std::ranges::none_of(sweep.curves, is_same)) sweep.curves.push_back(curve);
    }
  }
  return sweep;
}

// Without the variants of labs.
Sweep of_labs(Sweep sweep) {
  std::erase_if(sweep.curves, [](const Curve& curve) { return is_variant(curve.points.front()); });
  return sweep;
}

// The points that have an estimate, whose length is that of the estimate; curves without one are left out.
Sweep estimates_of(Sweep sweep) {
  for (Curve& curve : sweep.curves) {
    std::erase_if(curve.points, [](const Record& point) { return !point.estimate; });
    for (Record& point : curve.points) point.length = point.estimate->length;
  }
  std::erase_if(sweep.curves, [](const Curve& curve) { return curve.points.empty(); });
  return sweep;
}

std::string estimated_points(const Sweep& sweep) {
  HtmlTable table({{"", Align::left},
                   {unit_of(sweep)},
                   {"estimate"},
                   {"probably"},
                   {"throughput"},
                   {"held back by", Align::left}});
  for (const Curve& curve : sweep.curves) {
    for (const Record& point : curve.points) {
      const measure::Estimate& estimate = *point.estimate;
      table.add({title_of(point), value_text(point), duration_text(estimate.ms),
                 duration_text(estimate.low) + " – " + duration_text(estimate.high),
                 throughput_text(estimated_gb_s(point)), bound_text(estimate)});
    }
  }
  return table.html("Estimates of the sweep's points");
}

// What a GPU would reach, beside what was counted or measured; empty where nothing was estimated.
std::string estimated_sweep(const Sweep& all, Plotter& plotter) {
  const Sweep sweep = estimates_of(all);
  if (sweep.curves.empty()) return {};
  const std::string caption =
      fmt::format("{}: {}. Higher is faster; whiskers are the range in which it probably lies.",
                  capitalised(measure_of(sweep, Shown::estimated)), setting_text(sweep.first()));
  const std::string drawn = figure(plotter, sweep_plot(sweep, Shown::estimated), caption),
                    table = estimated_points(sweep);
  return estimated(sweep.first().estimate->name, drawn.empty() ? paragraph(escaped(caption)) + table
                                                               : drawn + folded("The estimates", table));
}

bool is_counted(const Sweep& sweep) {
  return std::ranges::any_of(sweep.curves, [](const Curve& curve) {
    return std::ranges::any_of(curve.points,
                               [](const Record& point) { return measure::counted(point).value_or(0) > 0; });
  });
}

// The curves, with their numbers folded away; the numbers alone where nothing can be drawn. On the simulator
// a sweep may count nothing but 0: then only its estimates are shown.
std::string one_sweep(const Sweep& sweep, Plotter& plotter) {
  const std::string title = fmt::format("<h3>{}</h3>\n", escaped(title_of_sweep(sweep))),
                    estimates = estimated_sweep(sweep, plotter);
  if (!sweep.timed && !is_counted(sweep)) return title + estimates;
  const std::string drawn = figure(plotter, sweep_plot(sweep, what_of(sweep)), caption_of(sweep)),
                    table = sweep_table(sweep);
  if (drawn.empty()) return title + estimates + paragraph(escaped(caption_of(sweep))) + table;
  return title + estimates + drawn + folded("The numbers", table);
}

// The one that the story shows of a kind; null if there is none.
const Sweep* shown_sweep(const std::vector<Sweep>& sweeps, bool (*is_such)(const Sweep&)) {
  const Sweep* best = nullptr;
  const auto worth = [](const Sweep& sweep) {
    const Record& first = sweep.first();
    const problems::Problem& problem = problem_of(first);
    const problems::Reference& reference = problems::reference_of(problem.name());
    // Contention is shown best where there are many levels of it, everything else in the usual setting.
    const bool of_contention = kind_of(first).varies_input();
    const std::size_t labs = of_labs(sweep).curves.size();
    return std::tuple(
        sweep.timed, of_contention || first.variant == problem.variants().front().name,
        of_contention || kind_of(first).varies_length() || first.input == reference.ladder_inputs().front(),
        !first.warm_cache, labs, sweep.curves.front().points.size(), first.length, first.time);
  };
  for (const Sweep& sweep : sweeps) {
    if (of_labs(sweep).curves.empty()) continue;
    if (is_such(sweep) && (!best || worth(sweep) > worth(*best))) best = &sweep;
  }
  return best;
}

bool is_contention(const Sweep& sweep) { return kind_of(sweep.first()).varies_input(); }
bool is_block(const Sweep& sweep) { return sweep.name() == "block"; }
bool is_any(const Sweep&) { return true; }

}  // namespace

std::string sweep_section(const Material& material, Plotter& plotter) {
  std::vector<const Sweep*> shown;
  for (const auto is_such : {is_contention, is_block}) {
    if (const Sweep* const sweep = shown_sweep(material.sweeps, is_such)) shown.push_back(sweep);
  }
  if (shown.empty()) {
    if (const Sweep* const sweep = shown_sweep(material.sweeps, is_any)) shown.push_back(sweep);
  }
  std::string pair, others;
  for (const Sweep* const sweep : shown)
    pair += "<div>\n" + one_sweep(of_labs(completed(*sweep, material.sweeps)), plotter) + "</div>\n";
  std::size_t count = 0;
  for (const Sweep& sweep : material.sweeps) {
    if (std::ranges::find(shown, &sweep) != shown.end()) continue;
    others += "<div>\n" + one_sweep(sweep, plotter) + "</div>\n";
    ++count;
  }
  if (pair.empty()) return {};
  return "<div class=\"pair\">\n" + pair + "</div>\n" +
         (count ? folded(count == 1 ? "1 more sweep" : fmt::format("{} more sweeps", count),
                         "<div class=\"pair\">\n" + others + "</div>\n")
                : "");
}

std::string block_command(const Material& material) {
  return bench_command(material.problem, "--sweep block");
}

// Empty where the problem has no levels of contention.
std::string contention_command(const Material& material) {
  const problems::Problem& problem = material.problem;
  const bool has_levels =
      !problems::reference_of(problem.name()).contention_levels(problem.variants().front().name).empty();
  return has_levels ? bench_command(problem, "--sweep contention") : std::string();
}

}  // namespace report::page
