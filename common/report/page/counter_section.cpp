// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "measure/ncu/metrics.hpp"
#include "report/page/counted.hpp"
#include "report/page/html.hpp"
#include "report/page/numbers.hpp"
#include "report/page/sections.hpp"
#include "report/terminal/bars.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

std::string counter_table(const Counted& counted) {
  HtmlTable table({{"", Align::left}, {"measured"}, {"simulated"}, {"difference"}});
  for (const auto& [name, measured] : counted.measured.counters) {
    const auto simulated = counted.simulated.find(name);
    if (measured == 0 && simulated.value_or(0) == 0) continue;
    table.add(
        {std::string(name), with_separators(measured), simulated ? with_separators(*simulated) : "",
         simulated ? difference_text(static_cast<double>(*simulated), static_cast<double>(measured)) : ""});
  }
  return table.html("Counters, measured and simulated");
}

std::string figure_table(const Counted& counted) {
  HtmlTable table({{"", Align::left}, {"measured"}, {"unit", Align::left}, {"what it is", Align::prose}});
  for (const facts::Quantity& known : measure::measured_figures()) {
    const auto figure = counted.measured.figures.find(std::string(known.name));
    if (figure != counted.measured.figures.end())
      table.add(
          {figure->first, number_text(figure->second), std::string(known.unit), std::string(known.meaning)});
  }
  return table.empty() ? std::string() : table.html("What only the GPU tells");
}

}  // namespace

std::string counter_section(const std::vector<Record>& records) {
  std::string html;
  for (const Counted& counted : counted_on_both(records)) {
    html += fmt::format("<h3>{}: {}, {}</h3>\n", escaped(title_of(counted.measured)),
                        escaped(setting_text(counted.measured)),
                        escaped(shape_text(counted.measured.grid, counted.measured.block)));
    if (!counted.measured.counters.empty()) html += counter_table(counted);
    html += figure_table(counted);
  }
  if (html.empty())
    html = paragraph("Nothing yet. On a machine with a GPU and ncu: " + code("lab profile 04 --solution"),
                     "nothing");
  return section("counters", "Counters, measured against simulated", html);
}

}  // namespace report::page
