// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include "report/terminal/sources.hpp"

TEST_CASE("counters stand beside their lines, and what is 0 is blank") {
  std::istringstream source(
      "// A kernel.\n"
      "#include \"lab.hpp\"\n"
      "\n"
      "void kernel() {\n"
      "  // here\n"
      "  count(1);\n"
      "  // left out\n"
      "  done();\n"
      "}\n");
  const std::string text = report::annotated_source(
      source,
      {{6, {.requests = 1000, .sectors = 4321, .wavefronts = 0, .lanes = 31900}},
       {8, {.requests = 2, .sectors = 0, .wavefronts = 3, .lanes = 64}}},
      [](std::string_view line) { return line == "  // left out"; }, 200);
  CHECK(text ==
        "   requests      sectors   wavefronts  lanes each\n"
        "                                                      4  void kernel() {\n"
        "                                                      5    // here\n"
        "      1,000        4,321                     31.9     6    count(1);\n"
        "          2                         3        32.0     8    done();\n"
        "                                                      9  }\n");
}

TEST_CASE("a comment or an #include with counters is shown") {
  std::istringstream source("#include \"kernel.inc\"\n");
  CHECK(report::annotated_source(
            source, {{1, {.requests = 1, .sectors = 1, .wavefronts = 0, .lanes = 1}}},
            [](std::string_view) { return false; }, 200) ==
        "   requests      sectors   wavefronts  lanes each\n"
        "          1            1                      1.0     1  #include \"kernel.inc\"\n");
}

TEST_CASE("in few columns the counters stand in words below their lines") {
  std::istringstream source("void kernel() {\n  count(1);\n  done();\n}\n");
  CHECK(report::annotated_source(
            source,
            {{2, {.requests = 1000, .sectors = 4321, .wavefronts = 0, .lanes = 31900}},
             {3, {.requests = 1, .sectors = 0, .wavefronts = 3, .lanes = 32}}},
            [](std::string_view) { return false; }, 80) ==
        "   1  void kernel() {\n"
        "   2    count(1);\n"
        "      ^ 1,000 requests, 4,321 sectors, 31.9 lanes each\n"
        "   3    done();\n"
        "      ^ 1 request, 3 wavefronts, 32.0 lanes each\n"
        "   4  }\n");
}
