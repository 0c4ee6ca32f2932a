// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "report/page/html.hpp"
#include "report/page/numbers.hpp"
#include "report/page/plots.hpp"
#include "report/page/sections.hpp"
#include "report/terminal/bars.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

std::string caption_of(const Sweep& sweep) {
  if (sweep.timed && sweep.name() == "contention") {
    return "Higher is faster. Fewer bins in use, on the left, means that more threads want the same counter "
           "at the same time; a flat curve "
           "is not slowed down by that.";
  }
  if (sweep.timed)
    return "Higher is faster; the whiskers are the quartiles, and hide behind their point where samples "
           "agree.";
  if (sweep.name() == "contention") {
    return "Lower is better: how many turns the lanes of a warp take for one shared atomic, 1 at best. The "
           "fewer bins are in use, on the "
           "left, the more lanes want the same counter.";
  }
  return "Lower is better: global atomics are what blocks pay to add their counts up. The simulator counts "
         "and is not timed.";
}

// "1,024", "64 KiB"
std::string value_text(const Record& point) {
  return point.sweep == "length" ? bytes_text(point.value) : with_separators(point.value);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string sweep_table(const Sweep& sweep) {
  std::vector<HtmlTable::Column> columns{{"", Align::left}, {unit_of(sweep)}, {measure_of(sweep)}};
  if (sweep.timed) columns.insert(columns.end(), {{"ms"}, {"quartiles, ms"}});
  HtmlTable table(columns);
  for (const Curve& curve : sweep.curves) {
    for (const Record& point : curve.points) {
      if (sweep.timed) {
        const auto& time = *point.time_ms;
        table.add({title_of(point), value_text(point), number_text(throughput_gb_s(point, time.median)),
                   time_text(time.median), time_text(time.q1) + " – " + time_text(time.q3)});
      } else {
        table.add({title_of(point), value_text(point), number_text(counted_of(point))});
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
    if ((sweep.name() == "contention") == of_contention) html += one_sweep(sweep, plotter);
  }
  return html;
}

}  // namespace

std::string sweep_section(const std::vector<Sweep>& sweeps, Plotter& plotter) {
  const std::string html = those_of(sweeps, false, plotter);
  return section("sweeps", "Sweeps", html.empty() ? nothing_yet("lab bench --sweep block") : html);
}

std::string contention_section(const std::vector<Sweep>& sweeps, Plotter& plotter) {
  const std::string html = those_of(sweeps, true, plotter);
  return section("contention", "Contention",
                 html.empty() ? nothing_yet("lab bench --sweep contention") : html);
}

}  // namespace report::page
