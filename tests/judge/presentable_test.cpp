// SPDX-License-Identifier: MIT
#include "judge/presentable.hpp"

#include <doctest/doctest.h>

using judge::printable;
using judge::shortened_text;
using judge::without_foreign_paths;

TEST_CASE("controls of both sets and what is no UTF-8 become question marks") {
  CHECK(printable("a\tb\nr\xc3\xa9sum\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82") ==
        "a\tb\nr\xc3\xa9sum\xc3\xa9 \xe2\x82\xac \xf0\x9f\x99\x82");
  CHECK(printable("\x1b[2J\r\b\x7f") == "?[2J???");
  CHECK(printable("\xc2\x9b"
                  "31m\xc2\x80\xc2\xa0") == "?31m?\xc2\xa0");
  // The second set as single bytes, a character that is cut off, too long, or half of a pair.
  CHECK(printable("\x9b\xe2\x82") == "???");
  CHECK(printable("\xc0\x9b\xe0\x80\x9b\xed\xa0\x80\xf5\x80\x80\x80") == "????????????");
  CHECK(printable("").empty());
}

TEST_CASE("of a long text the first lines are kept, of a long line its beginning") {
  CHECK(shortened_text("one\ntwo\n") == "one\ntwo\n");
  std::string lines;
  for (int i = 0; i < 45; ++i) lines += "line\n";
  CHECK(shortened_text(lines) == lines.substr(0, 40 * 5) + "  ... and 5 more lines");
  CHECK(shortened_text(std::string(2000, 'x')) == std::string(2000, 'x'));
  CHECK(shortened_text(std::string(2001, 'x') + "\nnext") == std::string(2000, 'x') + "...\nnext");
  CHECK(shortened_text(std::string(1999, 'x') + "\xc3\xa9") == std::string(1999, 'x') + "...");
}

TEST_CASE("of paths elsewhere the last part is told, of the submission's all, and source is left alone") {
  CHECK(without_foreign_paths("/usr/bin/ld: /labs/02/a.cu:3: in '/build/x.o' (/usr)\n  x = /a/b;\n",
                              "/labs/") == "ld: /labs/02/a.cu:3: in 'x.o' (usr)\n  x = /a/b;\n");
  CHECK(without_foreign_paths("labs/02/a.cu: 1 / 2, a/b", "/labs/") == "labs/02/a.cu: 1 / 2, a/b");
}
