// SPDX-License-Identifier: MIT
// All ladders as tables, folded away: times against the limit of reading, the CPU and the lab before, and on
// the simulator counters. Behind them the variants of the solutions, beside these.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "measure/counted.hpp"
#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using measure::Rung;
using Align = HtmlTable::Align;

std::string before_text(const Rung& rung) {
  if (!rung.over_before) return {};
  return (rung.over_before->claimed ? "" : "~") + number_text(rung.over_before->times);
}

std::string timed_table(const Ladder& ladder) {
  HtmlTable table({{"", Align::left},
                   {"time"},
                   {"quartiles"},
                   {"samples"},
                   {"throughput"},
                   {"of limit"},
                   {"× CPU"},
                   {"× before"}});
  for (const Rung& rung : ladder.rungs) {
    const Record& record = rung.record;
    if (!record.is_timed()) {
      table.add(
          {title_of(record), record.passed() ? "not timed" : std::string(name_of(record.finding.verdict))},
          "failed");
      continue;
    }
    const auto& time = *record.time_ms;
    table.add({title_of(record), duration_text(time.median, 4),
               duration_text(time.q1, 4) + " – " + duration_text(time.q3, 4), std::to_string(time.samples),
               throughput_text(throughput_gb_s(record)), rung.of_limit ? share_text(*rung.of_limit) : "",
               rung.over_cpu ? number_text(*rung.over_cpu) : "", before_text(rung)});
  }
  return table.html("Times of the ladder");
}

// Those that were measured beside each other: the newest of each exercise on one input.
std::string variant_tables(const std::vector<Record>& records) {
  std::map<std::tuple<std::string, std::string, std::uint64_t>, std::vector<Record>> groups;
  for (const Record& record : records) {
    if (record.kind != "variants" || !record.is_timed()) continue;
    std::vector<Record>& group = groups[{record.variant, record.input, record.length}];
    std::erase_if(group, [&](const Record& older) { return older.exercise.is_same(record.exercise); });
    group.push_back(record);
  }
  std::string html;
  for (const auto& [setting, group] : groups) {
    HtmlTable table(
        {{"", Align::left}, {"time"}, {"quartiles"}, {"samples"}, {"throughput"}, {"launch", Align::left}});
    for (const Record& record : group) {
      const auto& time = *record.time_ms;
      table.add({title_of(record), duration_text(time.median, 4),
                 duration_text(time.q1, 4) + " – " + duration_text(time.q3, 4), std::to_string(time.samples),
                 throughput_text(throughput_gb_s(record)),
                 shape_text(record.launch.grid, record.launch.block)});
    }
    html += "<h3>" + escaped(setting_text(group.front())) + "</h3>\n" +
            table.html("Variants and their solutions");
  }
  return html;
}

}  // namespace

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

std::string ladder_section(const Material& material, Plotter&) {
  std::string html;
  for (const Ladder& ladder : material.ladders) {
    html += fmt::format("<h3>{}{}</h3>\n",
                        ladder.timed ? "" : "On the simulator: ", escaped(setting_text(ladder.lab())));
    html += ladder.timed ? timed_table(ladder) : counted_table(ladder);
    html += estimate_table(ladder);
  }
  const std::size_t count = material.ladders.size();
  if (!html.empty())
    html = folded(count == 1 ? "The ladder as a table" : fmt::format("{} ladders as tables", count), html);
  const std::string variants = variant_tables(material.records);
  return html + (variants.empty() ? "" : folded("Variants of the solutions", variants));
}

}  // namespace report::page
