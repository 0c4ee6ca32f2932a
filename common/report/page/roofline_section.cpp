// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>

#include "report/page/html.hpp"
#include "report/page/numbers.hpp"
#include "report/page/plots.hpp"
#include "report/page/sections.hpp"

namespace report::page {

namespace {

using Align = HtmlTable::Align;

std::string roofline_table(const Roofline& roofline) {
  HtmlTable table({{"", Align::left},
                   {"input", Align::left},
                   {"atomics a byte"},
                   {"mostly on", Align::left},
                   {"GB/s"},
                   {"billion atomics a second"},
                   {"of limit"}});
  for (const RooflinePoint& point : roofline.points) {
    table.add({title_of(point.measured), point.measured.input, number_text(point.atomics_a_byte),
               point.shared ? "shared memory" : "global memory", number_text(point.gb_s),
               number_text(point.gb_s * point.atomics_a_byte),
               share_text(point.gb_s / roofline.read_limit_gb_s)});
  }
  return table.html("Points of the roofline");
}

// One input's labs. A longer list is folded away.
constexpr std::size_t listed_commands = 6;

// What has to be counted for the points that are missing.
std::string missing_points(const Roofline& roofline) {
  if (roofline.is_complete()) return {};
  std::string lines;
  for (const Record& rung : roofline.uncounted)
    lines += fmt::format("<li>{}</li>\n", code(counting_command(rung)));
  const std::string list = "<ul class=\"commands\">\n" + lines + "</ul>\n";
  return paragraph(
             "Not shown, because their atomics are not counted yet; the simulator does, on a short input "
             "with the same block and bytes a "
             "thread:") +
         (roofline.uncounted.size() > listed_commands
              ? folded(fmt::format("{} commands", roofline.uncounted.size()), list)
              : list);
}

std::string one_roofline(const Roofline& roofline, Plotter& plotter) {
  std::string html = fmt::format("<h3>Binning {}, {}</h3>\n", escaped(roofline.binning),
                                 roofline.tree == "student" ? "the student's own labs" : "the solutions");
  if (!roofline.points.empty()) {
    html += figure(plotter, roofline_plot(roofline),
                   "Each point is a lab, by its number and, where it has several exercises, their first "
                   "letter: the further left, the "
                   "fewer atomics it makes a byte; the higher, the faster. The flat line is "
                   "reading the input alone. "
                   "The slanted ones are the highest rates at which any lab here made atomics: a lab on such "
                   "a line makes them as fast as "
                   "any, and is helped by fewer; "
                   "one below it makes them more slowly than another lab can.");
    html += roofline_table(roofline);
  }
  return html + missing_points(roofline);
}

}  // namespace

std::string roofline_section(const std::vector<Roofline>& rooflines, Plotter& plotter) {
  std::string html;
  for (const Roofline& roofline : rooflines) html += one_roofline(roofline, plotter);
  if (html.empty())
    html = paragraph(
        "It sets times of a GPU against the simulator's counters. For the times, on a machine with a GPU: " +
            code("lab bench"),
        "nothing");
  return section("roofline", "The roofline", html);
}

}  // namespace report::page
