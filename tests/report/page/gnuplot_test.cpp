// SPDX-License-Identifier: MIT
#include "report/page/gnuplot.hpp"

#include <doctest/doctest.h>

#include "os/command.hpp"
#include "support/contains.hpp"
#include "support/made_records.hpp"

using namespace report::page;

namespace {

bool has_gnuplot() {
  const bool has = os::run_command({"gnuplot", "--version"}).code == 0;
  if (!has) MESSAGE("left out: there is no gnuplot");
  return has;
}

}  // namespace

TEST_CASE("a plot stands in the page with its own names, and takes its colours from there") {
  if (!has_gnuplot()) return;
  Plotter plotter("gnuplot");
  const Plot plot{"A \"line\"", 300,
                  "plot x linecolor rgb '" + series_colour(1) + "' title 'a<b', 2*x linecolor rgb '" +
                      std::string(roof) + "' with points notitle\n"};
  const std::string svg = plotter.svg(plot);
  CHECK(plotter.fault() == "");
  CHECK(svg.rfind("<svg viewBox=\"0 0 600 300\" role=\"img\" aria-label=\"A &quot;line&quot;\">\n", 0) == 0);
  CHECK(svg.substr(svg.size() - 7) == "</svg>\n");
  CHECK(contains(svg, "var(--series-2)"));
  CHECK(contains(svg, "var(--roof)"));
  CHECK(contains(svg, "var(--ink)"));
  CHECK(contains(svg, "var(--faint)"));
  CHECK(contains(svg, "a&lt;b"));
  CHECK_FALSE(contains(svg, "flood-color='white'"));
  CHECK_FALSE(contains(svg, "rgb("));
  CHECK_FALSE(contains(svg, "http"));
  CHECK(contains(svg, "id='plot1-gpPt0'"));
  CHECK(contains(plotter.svg(plot), "id='plot2-gpPt0'"));
}

TEST_CASE("what a point says is its title, for which no script is needed") {
  if (!has_gnuplot()) return;
  const std::string svg = Plotter("gnuplot").svg(
      {"", 300,
       "$a << END\n1 2 \"04: 5 GB/s\"\nEND\nplot $a using 1:2:3 with labels hypertext point notitle\n"});
  CHECK(contains(svg, "<g><title>04: 5 GB/s</title>"));
  CHECK_FALSE(contains(svg, "onmouse"));
  CHECK_FALSE(contains(svg, "gnuplot_plot_1</title>"));
}

TEST_CASE("without gnuplot, or where it fails, there is no plot, and what it said is known") {
  Plotter none("");
  CHECK(none.svg({"", 300, "plot x\n"}) == "");
  CHECK_FALSE(none.is_there());
  CHECK(none.fault() == "");
  Plotter missing("/no/such/gnuplot");
  CHECK(missing.svg({"", 300, "plot x\n"}) == "");
  CHECK(missing.fault() == "cannot run /no/such/gnuplot: No such file or directory");
  if (!has_gnuplot()) return;
  Plotter plotter("gnuplot");
  CHECK(plotter.svg({"", 300, "plot nonsense\n"}) == "");
  CHECK(contains(plotter.fault(), "undefined variable: nonsense"));
}

TEST_CASE("names become strings in which gnuplot replaces nothing") {
  CHECK(plot_string("04 shared_memory") == "'04 shared_memory'");
  CHECK(plot_string("a'b`date`\"$(x)\\n\n") == "'abdate(x)n'");
}

TEST_CASE("the series' colours repeat when there are no more") {
  CHECK(series_colour(0) == "#030301");
  CHECK(series_colour(series_count) == series_colour(0));
}
