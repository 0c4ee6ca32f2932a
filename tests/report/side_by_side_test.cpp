// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/terminal/sources.hpp"

using report::side_by_side;

TEST_CASE("lines that both texts have stand beside each other") {
  CHECK(side_by_side({"left", "a\nx\ny\nb\nc\n"}, {"right", "a\nb\nz\nc\n"}, 23) ==
        "left       | right\n"
        "-----------------------\n"
        "a          | a\n"
        "x          |\n"
        "y          |\n"
        "b          | b\n"
        "           | z\n"
        "c          | c\n");
}

TEST_CASE("what differs between two common lines is set side by side, and the longer one goes on alone") {
  CHECK(side_by_side({"l", "a\np\nq\nb"}, {"r", "a\ns\nb"}, 23) ==
        "l          | r\n"
        "-----------------------\n"
        "a          | a\n"
        "p          | s\n"
        "q          |\n"
        "b          | b\n");
}

TEST_CASE("a long line goes on below, parted at a blank where one is near; blanks at its end do not count") {
  CHECK(side_by_side({"l", "123456 890123  \n"}, {"r", "12345678901234\n"}, 23) ==
        "l          | r\n"
        "-----------------------\n"
        "123456     | 1234567890\n"
        "890123     | 1234\n");
}

TEST_CASE("tabs become spaces, and characters of several bytes stay whole") {
  CHECK(side_by_side({"l", "\tx\r\n"}, {"r", "äöüäöüäöüäö\n"}, 23) ==
        "l          | r\n"
        "-----------------------\n"
        "        x  | äöüäöüäöüä\n"
        "           | ö\n");
}

TEST_CASE("one text may be empty, or both") {
  const std::string head = "l          | r\n-----------------------\n";
  CHECK(side_by_side({"l", ""}, {"r", "a\n"}, 23) == head + "           | a\n");
  CHECK(side_by_side({"l", "a\n"}, {"r", ""}, 23) == head + "a          |\n");
  CHECK(side_by_side({"l", ""}, {"r", ""}, 23) == head);
}
