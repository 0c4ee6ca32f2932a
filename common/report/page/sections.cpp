// SPDX-License-Identifier: MIT
#include "report/page/sections.hpp"

#include <fmt/core.h>

#include "report/page/html.hpp"
#include "report/page/numbers.hpp"

namespace report::page {

std::string figure(Plotter& plotter, const Plot& plot, const std::string& caption) {
  const std::string svg = plotter.svg(plot);
  return svg.empty()
             ? std::string()
             : fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", svg, escaped(caption));
}

std::string setting_text(const Record& record) {
  const std::string whose = record.tree == "student" ? "the student's own labs" : "the solutions";
  if (record.sweep == "contention")
    return fmt::format("{}, binning {}, {}", bytes_text(record.length), record.binning, whose);
  if (record.sweep == "length") return fmt::format("{}, binning {}, {}", record.input, record.binning, whose);
  return fmt::format("{} of {}, binning {}, {}", bytes_text(record.length), record.input, record.binning,
                     whose);
}

std::string nothing_yet(const std::string& command) {
  return paragraph("Nothing yet. To measure it: " + code(command), "nothing");
}

}  // namespace report::page
