// SPDX-License-Identifier: MIT
// The ladder: times against the limit of reading, the CPU and the lab before, and on the simulator counters.
// Its plots are horizontal bars, a row for each rung, the first one on top, each with its number at its end.
#include <fmt/core.h>

#include <algorithm>

#include "measure/counted.hpp"
#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using measure::Ladder;
using measure::Record;
using measure::Rung;
using Align = HtmlTable::Align;

struct Bar {
  std::string title;
  double length;
  std::string label;
  int series;
};

// Room for a row, and for the axis with its title.
constexpr int row_height = 36, axis_height = 100;

std::string rows_and_titles(const std::vector<std::string>& titles) {
  std::string tics;
  for (std::size_t i = 0; i < titles.size(); ++i)
    tics += fmt::format("{}{} {}", i ? ", " : "", plot_string(titles[i]), i);
  return fmt::format(
      "set yrange [{}:-0.6]\nset ytics ({}) scale 0\nset grid noytics xtics\nset style fill solid 1 "
      "noborder\n",
      static_cast<double>(titles.size()) - 0.4, tics);
}

std::string bars_data(const std::vector<Bar>& bars, const std::string& name) {
  std::string data = fmt::format("${} << END\n", name);
  for (std::size_t i = 0; i < bars.size(); ++i)
    data += fmt::format("{:.6g} {} \"{}\"\n", bars[i].length, i, bars[i].label);
  return data + "END\n";
}

// `from`: where bars begin; `shift`: from the middle of the row, for bars that share one; `half`: of a bar's
// thickness.
std::string bars_drawn(const std::string& name, double from, double shift, double half, int series,
                       const std::string& title) {
  return fmt::format(
      "${0} using 1:($2+{1}):({2}):1:($2+{1}-{3}):($2+{1}+{3}) with boxxyerror linecolor rgb '{4}' {5}, "
      "${0} using 1:($2+{1}):3 with labels left offset 0.6,0 boxed textcolor rgb '{6}' notitle",
      name, shift, from, half, series_colour(series),
      title.empty() ? "notitle" : "title " + plot_string(title), ink);
}

// The bars in their rows, each series drawn in its colour.
std::string drawn_by_series(const std::vector<Bar>& bars, double from) {
  std::string data, drawn;
  for (int series = 0; series < series_count; ++series) {
    std::string rows;
    for (std::size_t i = 0; i < bars.size(); ++i) {
      if (bars[i].series == series)
        rows += fmt::format("{:.6g} {} \"{}\"\n", bars[i].length, i, bars[i].label);
    }
    if (rows.empty()) continue;
    const std::string name = fmt::format("series{}", series);
    data += fmt::format("${} << END\n{}END\n", name, rows);
    drawn += (drawn.empty() ? "" : ", ") + bars_drawn(name, from, 0, 0.36, series, "");
  }
  return fmt::format("{}plot {}\n", data, drawn);
}

std::vector<std::string> titles_of(const std::vector<Bar>& bars) {
  std::vector<std::string> titles;
  for (const Bar& bar : bars) titles.push_back(bar.title);
  return titles;
}

int height_of(std::size_t rows, int bars_a_row = 1) {
  constexpr int second_bar = 20;  // they are thinner
  return axis_height + (row_height + second_bar * (bars_a_row - 1)) * static_cast<int>(rows);
}

std::string limit_line(double at) {
  return fmt::format(
      "set arrow from {0:.6g}, graph 0 to {0:.6g}, graph 1 nohead linecolor rgb '{1}' linewidth 1.6 dashtype "
      "2\n",
      at, roof);
}

// Labs, what runs on the CPU, and the other peers.
int series_of(const Record& record) {
  return !traits_of(record.backend).launches ? 1 : record.is_peer() ? 2 : 0;
}

// Reading and copying count nothing.
bool counts(const Record& record) {
  const problems::Peer* const peer = record.is_peer() ? measure::find_peer(record.exercise.name) : nullptr;
  return record.is_peer() ? peer && peer->computes : true;
}

// Throughputs on a logarithmic axis, with the limit of reading. Precondition: the ladder is timed.
Plot throughput_plot(const Ladder& ladder) {
  std::vector<Bar> bars;
  double least = 1, most = 1;
  for (const Rung& rung : ladder.rungs) {
    if (!rung.record.is_timed()) continue;
    const double gb_s = throughput_gb_s(rung.record);
    least = bars.empty() ? gb_s : std::min(least, gb_s);
    most = bars.empty() ? gb_s : std::max(most, gb_s);
    bars.push_back({title_of(rung.record), gb_s, throughput_text(gb_s), series_of(rung.record)});
  }
  // Room for the shortest bar, and behind the longest for its number.
  const double from = least / 2, to = most * 12;
  const Record* const limit = ladder.limit();
  return {"Throughput of each rung of the ladder, as bars", height_of(bars.size()),
          fmt::format("set logscale x\nset xrange [{:.6g}:{:.6g}]\nset format x '%g'\nset xlabel 'GB/s, each "
                      "mark ten times the one "
                      "before' textcolor rgb '{}'\n{}{}{}",
                      from, to, ink, rows_and_titles(titles_of(bars)),
                      limit ? limit_line(throughput_gb_s(*limit)) : "", drawn_by_series(bars, from))};
}

// How much of that limit each kernel reaches. Precondition: the limit was measured.
Plot share_plot(const Ladder& ladder) {
  std::vector<Bar> bars;
  for (const Rung& rung : ladder.rungs) {
    if (!rung.of_limit || !counts(rung.record)) continue;
    bars.push_back(
        {title_of(rung.record), 100 * *rung.of_limit, share_text(*rung.of_limit), series_of(rung.record)});
  }
  return {"Share of the limit of reading that each kernel reaches, as bars", height_of(bars.size()),
          fmt::format("set xrange [0:120]\nset xtics 0,20,100\nset xlabel '% of the limit of reading' "
                      "textcolor rgb '{}'\n{}{}{}",
                      ink, rows_and_titles(titles_of(bars)), limit_line(100), drawn_by_series(bars, 0))};
}

// By the problem's figures; those that are 0 everywhere are left out. Precondition: the ladder is counted.
Plot counted_plot(const Ladder& ladder, const problems::CountedPlot& what) {
  struct Series {
    std::string title;
    std::vector<Bar> bars;
  };
  std::vector<Series> all;
  std::vector<double> largest_of;
  double most = 0;
  for (const problems::TourFigure& figure : what.figures) {
    Series series{std::string(figure.title), {}};
    double largest = 0;
    for (const Rung& rung : ladder.rungs) {
      const Record& record = rung.record;
      if (!record.passed() || record.counters.empty()) continue;
      const auto value = value_of(figure, record);
      if (!value) continue;
      series.bars.push_back({title_of(record), *value, number_text(*value), 0});
      largest = std::max(largest, *value);
    }
    most = std::max(most, largest);
    largest_of.push_back(largest);
    all.push_back(std::move(series));
  }
  for (std::size_t i = all.size(); i-- > 0;) {
    if (largest_of[i] == 0 && all.size() > 1) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
  }
  // Two share a row.
  const bool both = all.size() > 1;
  const auto drawn = [&](std::size_t i) {
    return bars_drawn(fmt::format("figure{}", i), 0, both ? (i == 0 ? -0.2 : 0.2) : 0, both ? 0.17 : 0.36,
                      both && i == 0 ? 1 : 0, both ? all[i].title : "");
  };
  std::string data, plotted;
  for (std::size_t i = 0; i < all.size(); ++i) {
    data += bars_data(all[i].bars, fmt::format("figure{}", i));
    plotted += (i > 0 ? ", " : "") + drawn(i);
  }
  return {fmt::format("{} of each rung of the ladder, as bars", capitalised(std::string(what.title))),
          height_of(all.front().bars.size(), both ? 2 : 1) + (both ? row_height : 0),
          fmt::format("set xrange [0:{:.6g}]\nset xlabel {} textcolor rgb '{}'\n{}{}{}plot {}\n",
                      most > 0 ? most * 1.2 : 1, plot_string(what.title), ink,
                      both ? "set key outside top center horizontal\n" : "",
                      rows_and_titles(titles_of(all.front().bars)), data, plotted)};
}

std::string before_text(const Rung& rung) {
  if (!rung.over_before) return {};
  return (rung.over_before->claimed ? "" : "~") + number_text(rung.over_before->times);
}

std::string timed_table(const Ladder& ladder) {
  HtmlTable table(
      {{"", Align::left}, {"ms"}, {"quartiles, ms"}, {"GB/s"}, {"of limit"}, {"× CPU"}, {"× before"}});
  for (const Rung& rung : ladder.rungs) {
    const Record& record = rung.record;
    if (!record.is_timed()) {
      table.add(
          {title_of(record), record.passed() ? "not timed" : std::string(name_of(record.finding.verdict))},
          "failed");
      continue;
    }
    const auto& time = *record.time_ms;
    table.add({title_of(record), time_text(time.median), time_text(time.q1) + " – " + time_text(time.q3),
               number_text(throughput_gb_s(record)), rung.of_limit ? share_text(*rung.of_limit) : "",
               rung.over_cpu ? number_text(*rung.over_cpu) : "", before_text(rung)});
  }
  return table.html("Times of the ladder");
}

std::string timed_ladder(const Ladder& ladder, Plotter& plotter) {
  const bool limited = ladder.limit() != nullptr;
  std::string html = "<h3>" + escaped(setting_text(ladder.lab())) + "</h3>\n";
  html += figure(
      plotter, throughput_plot(ladder),
      std::string(
          "Longer bars are faster; the axis is logarithmic: from mark to mark it is ten times as fast.") +
          (limited ? " The dashed line is reading the input alone, which no " +
                         ladder.lab().exercise.problem + " outruns."
                   : ""));
  if (limited) {
    html += figure(plotter, share_plot(ladder),
                   "The same kernels as shares of that limit: a full bar would be as fast as reading alone, "
                   "and what is missing is room "
                   "for improvement.");
  }
  return html + timed_table(ladder);
}

std::string counted_table(const Ladder& ladder) {
  std::vector<Record> records;
  for (const Rung& rung : ladder.rungs) records.push_back(rung.record);
  const std::vector<problems::CountedColumn> columns = measure::shown_columns(records);
  std::vector<HtmlTable::Column> titles{{"", Align::left}};
  for (const problems::CountedColumn& column : columns) titles.push_back({std::string(column.title)});
  HtmlTable table(titles);
  for (const Rung& rung : ladder.rungs) {
    const Record& record = rung.record;
    if (!record.passed())
      table.add({title_of(record), std::string(name_of(record.finding.verdict))}, "failed");
    if (!record.passed() || record.counters.empty()) continue;
    std::vector<std::string> cells{title_of(record)};
    for (const problems::CountedColumn& column : columns)
      cells.push_back(measure::counted_text(column, record));
    table.add(cells);
  }
  return table.html("Counters of the ladder");
}

std::string counted_ladder(const Ladder& ladder, Plotter& plotter) {
  const problems::CountedPlot plot = problems::reference_of(ladder.lab().exercise.problem).ladder_plot();
  return "<h3>On the simulator: " + escaped(setting_text(ladder.lab())) + "</h3>\n" +
         figure(plotter, counted_plot(ladder, plot),
                std::string(plot.caption) + " The simulator counts and is not timed.") +
         counted_table(ladder);
}

}  // namespace

std::string ladder_section(const Material& material, Plotter& plotter) {
  std::string html;
  for (const Ladder& ladder : material.ladders)
    html += ladder.timed ? timed_ladder(ladder, plotter) : counted_ladder(ladder, plotter);
  return html.empty() ? nothing_yet(bench_command(material.problem)) : html;
}

}  // namespace report::page
