// SPDX-License-Identifier: MIT
#include "report/markup.hpp"

#include <doctest/doctest.h>

using namespace report;

TEST_CASE("text cannot become markup") {
  CHECK(escaped("<b a=\"1\" c='2'>&amp;") == "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
  CHECK(escaped(std::string("a\0b\x1b[1m\nc", 9)) == "ab[1m c");
  CHECK(escaped("ä ×") == "ä ×");
}

TEST_CASE("line ends are kept where lines are wanted") {
  CHECK(escaped_lines("a < b\n\tc") == "a &lt; b\n c");
}
