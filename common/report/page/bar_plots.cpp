// SPDX-License-Identifier: MIT
// The ladder's plots: horizontal bars, a row for each rung, the first one on top, each with its number at its
// end.
#include <fmt/core.h>

#include <algorithm>

#include "report/page/numbers.hpp"
#include "report/page/plots.hpp"

namespace report::page {

namespace {

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
int series_of(const Record& rung) { return rung.backend == "cpu" ? 1 : rung.is_peer() ? 2 : 0; }

}  // namespace

Plot throughput_plot(const Ladder& ladder) {
  std::vector<Bar> bars;
  double least = 1, most = 1;
  for (const Record& rung : ladder.rungs) {
    if (!rung.passed() || !rung.time_ms) continue;
    const double gb_s = throughput_gb_s(rung, rung.time_ms->median);
    least = bars.empty() ? gb_s : std::min(least, gb_s);
    most = bars.empty() ? gb_s : std::max(most, gb_s);
    bars.push_back({title_of(rung), gb_s, throughput_text(gb_s), series_of(rung)});
  }
  // Room for the shortest bar, and behind the longest for its number.
  const double from = least / 2, to = most * 12;
  const Record* const limit = ladder.read_limit();
  return {"Throughput of each rung of the ladder, as bars", height_of(bars.size()),
          fmt::format("set logscale x\nset xrange [{:.6g}:{:.6g}]\nset format x '%g'\nset xlabel 'GB/s, each "
                      "mark ten times the one "
                      "before' textcolor rgb '{}'\n{}{}{}",
                      from, to, ink, rows_and_titles(titles_of(bars)),
                      limit ? limit_line(throughput_gb_s(*limit, limit->time_ms->median)) : "",
                      drawn_by_series(bars, from))};
}

Plot share_plot(const Ladder& ladder) {
  const Record* const limit = ladder.read_limit();
  std::vector<Bar> bars;
  for (const Record& rung : ladder.rungs) {
    // Reading and copying count nothing.
    const bool counts = !rung.is_peer() || rung.exercise == "cub";
    if (!counts || rung.backend != "gpu" || !rung.passed() || !rung.time_ms) continue;
    const double share = limit->time_ms->median / rung.time_ms->median;
    bars.push_back({title_of(rung), 100 * share, share_text(share), series_of(rung)});
  }
  return {"Share of the limit of reading that each kernel reaches, as bars", height_of(bars.size()),
          fmt::format("set xrange [0:120]\nset xtics 0,20,100\nset xlabel '% of the limit of reading' "
                      "textcolor rgb '{}'\n{}{}{}",
                      ink, rows_and_titles(titles_of(bars)), limit_line(100), drawn_by_series(bars, 0))};
}

Plot atomics_plot(const Ladder& ladder) {
  std::vector<Bar> global, shared;
  double most = 0;
  for (const Record& rung : ladder.rungs) {
    if (!rung.passed() || rung.counters.empty() || rung.length == 0) continue;
    const auto a_byte = [&](const char* name) {
      return static_cast<double>(rung.counters.value(name)) / static_cast<double>(rung.length);
    };
    for (auto [bars, name] : {std::pair(&global, "global_atomics"), std::pair(&shared, "shared_atomics")}) {
      bars->push_back({title_of(rung), a_byte(name), number_text(a_byte(name)), 0});
      most = std::max(most, a_byte(name));
    }
  }
  return {
      "Atomics a byte of each rung of the ladder, on global and on shared memory, as bars",
      height_of(global.size(), 2) + row_height,
      fmt::format(
          "set xrange [0:{:.6g}]\nset xlabel 'atomics a byte' textcolor rgb '{}'\nset key outside top center "
          "horizontal\n{}{}{}plot {}, {}\n",
          most > 0 ? most * 1.2 : 1, ink, rows_and_titles(titles_of(global)), bars_data(global, "global"),
          bars_data(shared, "shared"), bars_drawn("global", 0, -0.2, 0.17, 1, "on global memory"),
          bars_drawn("shared", 0, 0.2, 0.17, 0, "on shared memory"))};
}

}  // namespace report::page
