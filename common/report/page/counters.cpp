// SPDX-License-Identifier: MIT
// Counters as a profiler measured them beside the simulated ones, and what only a GPU tells.
#include <fmt/core.h>

#include <algorithm>

#include "facts/words.hpp"
#include "measure/ncu/metrics.hpp"
#include "measure/ncu/profile.hpp"
#include "report/numbers.hpp"
#include "report/page/section.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

std::string counter_table(const measure::CountedOnBoth& counted) {
  HtmlTable table({{"", Align::left}, {"measured"}, {"simulated"}, {"difference"}});
  for (const auto& [name, measured] : counted.measured.counters) {
    const auto simulated = counted.simulated.find(name);
    if (measured == 0 && simulated.value_or(0) == 0) continue;
    table.add(
        {std::string(name), facts::separated(measured), simulated ? facts::separated(*simulated) : "",
         simulated ? difference_text(static_cast<double>(*simulated), static_cast<double>(measured)) : ""});
  }
  for (const auto& [name, value] : facts::derived(counted.simulated))
    table.add({name, "", facts::derived_text(value), ""});
  return table.html("Counters, measured and simulated");
}

std::string figure_table(const measure::CountedOnBoth& counted) {
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

std::string counter_section(const Material& material, Plotter&) {
  std::string html;
  for (const measure::CountedOnBoth& counted : measure::counted_on_both(material.selected.records)) {
    html += fmt::format("<h3>{}: {}, {}</h3>\n", escaped(title_of(counted.measured)),
                        escaped(setting_text(counted.measured)),
                        escaped(shape_text(counted.measured.launch.grid, counted.measured.launch.block)));
    if (!counted.measured.counters.empty()) html += counter_table(counted);
    html += figure_table(counted);
  }
  if (html.empty())
    html = paragraph("Nothing yet. On a machine with a GPU and ncu: " +
                         code(fmt::format("lab profile {} --solution", middle_exercise(material.problem))),
                     "nothing");
  return html;
}

}  // namespace report::page
