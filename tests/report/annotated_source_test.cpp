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
  const std::string text =
      report::annotated_source(source,
                               {{6, {.requests = 1000, .sectors = 4321, .wavefronts = 0, .lanes = 31900}},
                                {8, {.requests = 2, .sectors = 0, .wavefronts = 3, .lanes = 64}}},
                               [](std::string_view line) { return line == "  // left out"; });
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
  CHECK(report::annotated_source(source, {{1, {.requests = 1, .sectors = 1, .wavefronts = 0, .lanes = 1}}},
                                 [](std::string_view) { return false; }) ==
        "   requests      sectors   wavefronts  lanes each\n"
        "          1            1                      1.0     1  #include \"kernel.inc\"\n");
}
