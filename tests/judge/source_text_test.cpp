// SPDX-License-Identifier: MIT
#include "judge/source_text.hpp"

#include <doctest/doctest.h>

using judge::code_of, judge::excerpt, judge::last_line, judge::line_of_unclosed_brace, judge::line_that_names;

TEST_CASE("code is what stands outside of comments, strings and characters; lines stay") {
  CHECK(code_of("a; // b {\nc /* d\n { */ e") == "a;       \nc     \n      e");
  CHECK(code_of(R"(f("}\"{", '{', '\''); g)") == "f(      ,    ,     ); g");
  CHECK(code_of("1'000'000 {") == "1'000'000 {");
  CHECK(code_of("\"open {\n}") == "       \n}");
  CHECK(code_of("/* never {\n}") == "          \n ");
  CHECK(code_of("a /") == "a /");
  CHECK(code_of("/*/ a */ b") == "         b");
  CHECK(code_of("\"\\") == "  ");
  CHECK(code_of("") == "");
}

TEST_CASE("a name is found as a whole word of code") {
  CHECK(line_that_names("// launch_shape\nlaunch_shape2 my_launch_shape\nlaunch_shape()", "launch_shape") ==
        3);
  CHECK_FALSE(line_that_names("launch_shapes", "launch_shape"));
  CHECK_FALSE(line_that_names("", "launch_shape"));
}

TEST_CASE("braces that balance are no matter, nor are too many closing ones") {
  CHECK_FALSE(line_of_unclosed_brace("a { b { } }\n"));
  CHECK_FALSE(line_of_unclosed_brace("a {\n}\n}\n b {\n"));
  CHECK_FALSE(line_of_unclosed_brace("// {\n"));
  CHECK_FALSE(line_of_unclosed_brace(""));
}

TEST_CASE("of unclosed braces the one that the indentation shows, else the outermost") {
  CHECK(line_of_unclosed_brace("f() {\n  if (a) {\n    b;\n}\n\ng() {\n}\n") == 2);
  CHECK(line_of_unclosed_brace("\nf() {\n  if (a) {\n  }\n\n") == 2);
  CHECK(line_of_unclosed_brace("f() {\nif (a) {\nb;\n}\n") == 1);
  CHECK(line_of_unclosed_brace("  f() { if (a) {\n    g(S{1});\n  }\n") == 1);
}

TEST_CASE("a line is shown with its number") {
  CHECK(excerpt("a\n  b\n", 2) == "    2 |   b");
  CHECK(excerpt("a\n", 7) == "");
  CHECK(excerpt("a\n", 0) == "");
  CHECK(last_line("a\nb\n\n \n") == 2);
  CHECK(last_line(" \n") == 0);
}
