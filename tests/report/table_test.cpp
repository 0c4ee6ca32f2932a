// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/terminal/terminal.hpp"

using report::Table;

namespace {

const Table table({{"lab", Table::Align::left, 6},
                   {"ms", Table::Align::right, 5},
                   {"why", Table::Align::left}});

}  // namespace

TEST_CASE("columns have their widths and stand two blanks apart") {
  CHECK(table.header() == "lab        ms  why\n");
  CHECK(table.row({"02", "1.25", "atomics"}) == "02       1.25  atomics\n");
}

TEST_CASE("a column is at least as wide as its title") {
  const Table narrow({{"speed-up", Table::Align::right, 2}, {"x", Table::Align::right, 1}});
  CHECK(narrow.header() == "speed-up  x\n");
  CHECK(narrow.row({"7", "8"}) == "       7  8\n");
}

TEST_CASE("a cell that is too wide pushes the rest and is not cut") {
  CHECK(table.row({"05/interleaved", "1", "x"}) == "05/interleaved      1  x\n");
}

TEST_CASE("no line ends with blanks") {
  CHECK(table.row({"02", "", ""}) == "02\n");
  CHECK(table.row({"", "", ""}) == "\n");
}

TEST_CASE("cells that are missing are empty, and those beyond the last column are left out") {
  CHECK(table.row({"02"}) == "02\n");
  CHECK(table.row({"02", "1", "x", "y"}) == "02          1  x\n");
}

TEST_CASE("letters of several bytes take one column") {
  CHECK(table.row({"é", "µ", "x"}) == "é           µ  x\n");
}
