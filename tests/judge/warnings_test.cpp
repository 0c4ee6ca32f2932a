// SPDX-License-Identifier: MIT
#include "judge/warnings.hpp"

#include <doctest/doctest.h>

TEST_CASE("the first warning in the student's file that points at a mistake, by its line") {
  const std::string file = "/book/labs/02/histogram.cu";
  const auto warned = [&](const std::string& output) {
    const auto note = judge::first_warning(output, file);
    return note ? note->message + " at " + std::to_string(note->where.at(0).line) : "none";
  };
  const std::string parentheses =
      file +
      ":9:11: warning: suggest parentheses around assignment used as truth value [-Wparentheses]\n"
      "    9 |     if (b = 0) {\n";
  CHECK(warned(parentheses) ==
        "the compiler warns: suggest parentheses around assignment used as truth value at 9");
  CHECK(warned(file + ":3:1: warning: unused parameter 'n' [-Wunused-parameter]\n" + parentheses) ==
        warned(parentheses));
  CHECK(warned("/book/common/runner/lab.hpp:3:1: warning: statement has no effect [-Wunused-value]\n") ==
        "none");
  CHECK(warned("    9 | x: warning: statement has no effect [-Wunused-value]\n") == "none");
  CHECK(warned(file + ":4:5: warning: array subscript 7 is above array bounds [-Warray-bounds=]\n") ==
        "the compiler warns: array subscript 7 is above array bounds at 4");
  CHECK(warned("") == "none");
}
