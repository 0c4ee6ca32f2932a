// SPDX-License-Identifier: MIT
#include "report/page/page.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "report/page/html.hpp"
#include "report/page/numbers.hpp"
#include "report/page/sections.hpp"
#include "report/page/style.hpp"

namespace report::page {

namespace {

// The machine and the newest time: what a title needs.
std::string lead_of(const Selected& selected) {
  const Machine& machine = selected.machine;
  const std::string on =
      machine.gpu.contains("name") ? machine.gpu.at("name") : machine.cpu + ", without a GPU";
  const std::string when =
      selected.records.empty() ? std::string() : ", " + selected.records.back().time.substr(0, 10);
  return paragraph("Measured on " + escaped(on) + when + ".", "lead");
}

constexpr const char* links =
    "<nav aria-label=\"Sections\"><a href=\"#ladder\">Ladder</a> <a href=\"#sweeps\">Sweeps</a> <a "
    "href=\"#contention\">Contention</a> "
    "<a href=\"#roofline\">Roofline</a> <a href=\"#counters\">Counters</a> <a "
    "href=\"#predictions\">Predictions</a> "
    "<a href=\"#machine\">Machine</a> <a href=\"#repeat\">How to repeat it</a></nav>\n";

std::string notice_of(const Plotter& plotter) {
  if (!plotter.is_there())
    return paragraph("There are no plots here: gnuplot is not installed. On Debian and Ubuntu: " +
                         code("sudo apt-get install gnuplot-nox"),
                     "notice");
  if (!plotter.fault().empty())
    return paragraph("There are plots missing: gnuplot failed. It said: " + code(plotter.fault()), "notice");
  return {};
}

}  // namespace

Page page(const PageContent& content) {
  const Selected selected = select(content.records);
  const std::vector<Ladder> all_ladders = ladders(selected.records);
  const std::vector<Sweep> all_sweeps = sweeps(selected.records);
  Plotter plotter(content.gnuplot);
  const std::string sections = ladder_section(all_ladders, plotter) + sweep_section(all_sweeps, plotter) +
                               contention_section(all_sweeps, plotter) +
                               roofline_section(rooflines(all_ladders, selected.records), plotter) +
                               counter_section(selected.records) + prediction_section(content.predictions) +
                               machine_section(selected) + repeat_section(selected);
  return {fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                      "<title>The parallel histogram: what was "
                      "measured</title>\n<style>{}</style>\n</head>\n<body>\n<header>\n"
                      "<h1>The parallel histogram: what was "
                      "measured</h1>\n{}{}{}</header>\n<main>\n{}</main>\n</body>\n</html>\n",
                      style_sheet(), lead_of(selected), links, notice_of(plotter), sections),
          plotter.fault(), selected.records.size()};
}

}  // namespace report::page
