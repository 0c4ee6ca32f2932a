// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "measure/samples.hpp"
#include "report/page/html.hpp"
#include "report/page/numbers.hpp"
#include "report/page/plots.hpp"
#include "report/page/sections.hpp"
#include "report/terminal/bars.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

// How many times as fast as the rung before. "~": the quartiles overlap, so nothing is claimed.
std::string against_before(const Record& here, const Record* before) {
  if (!before) return {};
  const bool claimed = measure::is_faster(*here.time_ms, *before->time_ms) ||
                       measure::is_faster(*before->time_ms, *here.time_ms);
  return (claimed ? "" : "~") + number_text(before->time_ms->median / here.time_ms->median);
}

std::string timed_table(const Ladder& ladder) {
  HtmlTable table(
      {{"", Align::left}, {"ms"}, {"quartiles, ms"}, {"GB/s"}, {"of limit"}, {"× CPU"}, {"× before"}});
  const Record *const limit = ladder.read_limit(), *const cpu = ladder.cpu_baseline();
  const Record* before = nullptr;
  for (const Record& rung : ladder.rungs) {
    if (!rung.passed() || !rung.time_ms) {
      table.add({title_of(rung), rung.passed() ? "not timed" : rung.verdict}, "failed");
      continue;
    }
    const auto& time = *rung.time_ms;
    const bool of_gpu = rung.backend == "gpu";
    table.add({title_of(rung), time_text(time.median), time_text(time.q1) + " – " + time_text(time.q3),
               number_text(throughput_gb_s(rung, time.median)),
               limit && of_gpu ? share_text(limit->time_ms->median / time.median) : "",
               cpu ? number_text(cpu->time_ms->median / time.median) : "",
               rung.is_peer() ? "" : against_before(rung, before)});
    if (!rung.is_peer()) before = &rung;
  }
  return table.html("Times of the ladder");
}

std::string timed_ladder(const Ladder& ladder, Plotter& plotter) {
  const bool limited = ladder.read_limit() != nullptr;
  std::string html = "<h3>" + escaped(setting_text(ladder.lab())) + "</h3>\n";
  html += figure(
      plotter, throughput_plot(ladder),
      std::string(
          "Longer bars are faster; the axis is logarithmic: from mark to mark it is ten times as fast.") +
          (limited ? " The dashed line is reading the input alone, which no histogram outruns." : ""));
  if (limited) {
    html += figure(plotter, share_plot(ladder),
                   "The same kernels as shares of that limit: a full bar would be as fast as reading alone, "
                   "and what is missing is room "
                   "for improvement.");
  }
  return html + timed_table(ladder);
}

std::string counted_table(const Ladder& ladder) {
  struct Column {
    const char *title, *counter;
  };
  constexpr Column columns[] = {
      {"load requests", "global_load_requests"},  {"sectors", "global_load_sectors"},
      {"global atomics", "global_atomics"},       {"shared atomics", "shared_atomics"},
      {"wavefronts", "shared_atomic_wavefronts"}, {"barriers", "barriers"}};
  std::vector<HtmlTable::Column> titles{{"", Align::left}};
  for (const Column& column : columns) titles.push_back({column.title});
  HtmlTable table(titles);
  for (const Record& rung : ladder.rungs) {
    if (!rung.passed()) table.add({title_of(rung), rung.verdict}, "failed");
    if (!rung.passed() || rung.counters.empty()) continue;
    std::vector<std::string> cells{title_of(rung)};
    for (const Column& column : columns)
      cells.push_back(with_separators(rung.counters.value(column.counter)));
    table.add(cells);
  }
  return table.html("Counters of the ladder");
}

std::string counted_ladder(const Ladder& ladder, Plotter& plotter) {
  return "<h3>On the simulator: " + escaped(setting_text(ladder.lab())) + "</h3>\n" +
         figure(plotter, atomics_plot(ladder),
                "Shorter bars are fewer atomics, each thread's counted; those on global memory cost the "
                "most. The simulator counts and is "
                "not timed.") +
         counted_table(ladder);
}

}  // namespace

std::string ladder_section(const std::vector<Ladder>& ladders, Plotter& plotter) {
  std::string html;
  for (const Ladder& ladder : ladders)
    html += ladder.timed ? timed_ladder(ladder, plotter) : counted_ladder(ladder, plotter);
  return section("ladder", "The ladder", html.empty() ? nothing_yet("lab bench") : html);
}

}  // namespace report::page
