// SPDX-License-Identifier: MIT
#include "judge/unset_variables.hpp"

#include <doctest/doctest.h>

#include "judge/undefined_operations.hpp"

namespace {

// "name:line" of each.
std::string unset(const std::string& text) {
  std::string all;
  for (const judge::UnsetVariable& variable : judge::unset_variables(text))
    all += (all.empty() ? "" : " ") + variable.name + ":" + std::to_string(variable.line);
  return all;
}

}  // namespace

TEST_CASE("variables of functions that are declared without a value") {
  CHECK(unset("__global__ void f() {\n  int bin;\n  unsigned own[8], run;\n  if (x) { float* p; }\n}") ==
        "bin:2 own:3 run:3 p:4");
  CHECK(unset("void f() { typename Operator::value own; std::array<int, 4> all; const auto g = [&](int i) { "
              "bool any; }; }") == "own:1 all:1 any:1");
  CHECK(unset("struct Runs { int run; __device__ void meet(int bin) { int last; } };") == "last:1");
}

TEST_CASE("what has a value, is watched, or is no variable of a function's own") {
  CHECK(unset("int all; struct S { int a; }; namespace n { int b; } extern \"C\" { int c; }") == "");
  CHECK(unset("void f() { int a = 1; int b{}; int c[2] = {}; S s(1); auto d = a; }") == "");
  CHECK(unset("void f() { __shared__ int a; static int b; extern __shared__ int c[]; using T = int; "
              "T::call(); }") == "");
  CHECK(unset("int f() { x = y; g(a, b); return x; goto end; ++i; a * 2; }\nvoid g(int a, int b);") == "");
  CHECK(
      unset("void f() { struct S { int a; }; enum E { one, two }; for (int i = 0; i < n; ++i) x[i] = 1; }") ==
      "");
}

TEST_CASE("a file with such variables is compiled with a pattern in them") {
  using Arguments = std::vector<std::string>;
  CHECK(judge::checks_for("void f() { int bin; }") == Arguments{"-ftrivial-auto-var-init=pattern", "-O0"});
  CHECK(judge::checks_for("void f() { int bin = 0; }") == Arguments{});
}
