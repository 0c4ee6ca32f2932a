// SPDX-License-Identifier: MIT
#include "report/page/html.hpp"

#include <doctest/doctest.h>

using namespace report::page;

TEST_CASE("code is escaped") { CHECK(code("a<b") == "<code>a&lt;b</code>"); }

TEST_CASE("a table has a cell a column, the first one its row's heading, in a box that scrolls") {
  HtmlTable table({{"lab", HtmlTable::Align::left}, {"ms"}, {"why", HtmlTable::Align::prose}});
  CHECK(table.empty());
  table.add({"<02>", "1.5", "so"});
  table.add({"03"}, "failed");
  CHECK(table.html("Times") ==
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Times\">\n<table>\n"
        "<thead><tr><th scope=\"col\" class=\"words\">lab</th><th scope=\"col\">ms</th><th scope=\"col\" "
        "class=\"prose\">why</th></tr></thead>\n<tbody>\n"
        "<tr><th scope=\"row\" class=\"words\">&lt;02&gt;</th><td>1.5</td><td class=\"prose\">so</td></tr>\n"
        "<tr class=\"failed\"><th scope=\"row\" class=\"words\">03</th><td></td><td "
        "class=\"prose\"></td></tr>\n</tbody>\n</table>\n</div>\n");
}
