// SPDX-License-Identifier: MIT
#include "judge/shifts.hpp"

#include <doctest/doctest.h>

TEST_CASE("shifts by another amount than a number are found by their tokens") {
  using judge::has_variable_shift;
  CHECK(has_variable_shift("x = 1u << lane;"));
  CHECK(has_variable_shift("x >>= n - 1;"));
  CHECK(has_variable_shift("x = y >> (32 - n);"));
  CHECK(has_variable_shift("x = 1 << 3 + n;"));
  CHECK(has_variable_shift("if (a < b >> c) f();"));
  CHECK_FALSE(has_variable_shift("for (int s = blockDim.x >> 1; s > 0; s >>= 1) x = (y << 4) | z;"));
  CHECK_FALSE(has_variable_shift("std::vector<std::pair<int, int>> all;"));
  CHECK_FALSE(has_variable_shift("// x << n\nif (a < b && c > d) f();"));
}
