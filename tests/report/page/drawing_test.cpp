// SPDX-License-Identifier: MIT
#include "report/page/drawing.hpp"

#include <doctest/doctest.h>

using namespace report::page;

TEST_CASE("a logarithmic axis begins at a power of ten, and each power is as far from the next") {
  const LogAxis axis(3, 1000, 100, 400);
  CHECK(axis.at(1) == doctest::Approx(100));
  CHECK(axis.at(10) == doctest::Approx(200));
  CHECK(axis.at(1000) == doctest::Approx(400));
  CHECK(axis.marks(9) == std::vector<double>{1, 10, 100, 1000});
  CHECK(axis.marks(3) == std::vector<double>{1, 100});
  // One value alone has an axis too, and a power of ten stays its own beginning.
  CHECK(LogAxis(1, 1, 0, 100).at(1) == doctest::Approx(0));
  CHECK(LogAxis(0.001, 1, 0, 300).at(0.1) == doctest::Approx(200));
}

TEST_CASE("shapes are SVG in the page's colours, and text cannot become markup") {
  Drawing drawing(200, 100, "A \"drawing\"");
  drawing.text({10, 20}, "a<b", {Drawing::Anchor::end, "var(--muted)", "small"});
  drawing.line({0, 1}, {2, 3}, "var(--roof)", 2, "6 4");
  drawing.dot({50, 60}, "var(--series-1)", true, "02: 5 & more");
  drawing.dot({70, 60}, "var(--series-2)", false, "");
  CHECK(drawing.svg("wide") ==
        "<svg class=\"wide\" viewBox=\"0 0 200 100\" role=\"img\" aria-label=\"A &quot;drawing&quot;\">\n"
        "<text x=\"10.0\" y=\"20.0\" dy=\"0.35em\" text-anchor=\"end\" fill=\"var(--muted)\" "
        "class=\"small\">a&lt;b</text>\n"
        "<path d=\"M0.0,1.0 L2.0,3.0\" stroke=\"var(--roof)\" stroke-width=\"2\" fill=\"none\" "
        "stroke-dasharray=\"6 4\"/>\n"
        "<circle cx=\"50.0\" cy=\"60.0\" r=\"7\" fill=\"var(--series-1)\" stroke=\"var(--series-1)\" "
        "stroke-width=\"2.5\"><title>02: 5 &amp; more</title></circle>\n"
        "<circle cx=\"70.0\" cy=\"60.0\" r=\"7\" fill=\"var(--paper)\" stroke=\"var(--series-2)\" "
        "stroke-width=\"2.5\"><title></title></circle>\n"
        "</svg>\n");
}

TEST_CASE("an arrow leaves room for both dots, and is left out where there is none") {
  Drawing drawing(200, 100, "");
  drawing.arrow({0, 0}, {100, 0}, "var(--ink)");
  CHECK(drawing.svg("x").find("M9.0,0.0 L82.0,0.0") !=
        std::string::npos);  // from behind the first dot to the head
  CHECK(drawing.svg("x").find("M91.0,0.0 L82.0,4.5") !=
        std::string::npos);  // the head ends before the second
  Drawing close(200, 100, "");
  close.arrow({0, 0}, {20, 0}, "var(--ink)");
  CHECK(close.svg("x").find("<path") == std::string::npos);
}
