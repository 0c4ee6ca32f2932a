// SPDX-License-Identifier: MIT
#include "report/terminal/terminal.hpp"

#include <doctest/doctest.h>

using report::Colour;

TEST_CASE("without colours a text stays as it is") {
  const report::Terminal plain;
  CHECK_FALSE(plain.colours);
  CHECK(plain.columns == 80);
  for (const Colour any : {Colour::none, Colour::red, Colour::bold}) CHECK(plain.paint(any, "x") == "x");
}

TEST_CASE("with colours a text is painted and the colour is taken back") {
  const report::Terminal colourful{.colours = true};
  CHECK(colourful.paint(Colour::red, "crash") == "\x1b[31mcrash\x1b[0m");
  CHECK(colourful.paint(Colour::green, "pass") == "\x1b[32mpass\x1b[0m");
  CHECK(colourful.paint(Colour::grey, "not_started") == "\x1b[90mnot_started\x1b[0m");
  CHECK(colourful.paint(Colour::bold, "x") == "\x1b[1mx\x1b[0m");
  CHECK(colourful.paint(Colour::none, "x") == "x");
}

TEST_CASE("a text is as wide as it has letters") {
  CHECK(report::width("") == 0);
  CHECK(report::width("abc") == 3);
  CHECK(report::width("µs é █▏") == 7);
}
