// SPDX-License-Identifier: MIT
#include "judge/undefined_operations.hpp"

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

TEST_CASE("arrays whose ends nobody watches are a thread's own and members of structs") {
  using Arguments = std::vector<std::string>;
  using judge::checks_for;
  const Arguments bounds{"-fsanitize=bounds"};
  CHECK(checks_for("unsigned own[Binning::bins] = {};") == bounds);
  CHECK(checks_for("struct Counts { unsigned of_bin[7]; int others; };") == bounds);
  CHECK(checks_for("int own[n]; x <<= own[0];") ==
        Arguments{"-fsanitize=shift-exponent", "-fsanitize=bounds"});
  CHECK(checks_for("__shared__ unsigned counts[256]; extern __shared__ int words[];") == Arguments{});
  CHECK(checks_for("int tile[4][8];") == bounds);
  CHECK(checks_for("__device__ unsigned table[4]; x = y[i]; return own[i];") == Arguments{});
  CHECK(checks_for("const auto [a, b] = pair; int* p = new int[7]; int operator[](int i);") == Arguments{});
}
