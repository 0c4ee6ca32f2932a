// SPDX-License-Identifier: MIT
// The reduction as everybody may know it, a student's runner included: the problem, and its operators as
// values, for code that learns only at run time which one is meant.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "problems/problem.hpp"
#include "problems/reduction/unit/operators.hpp"

namespace reduction {

// Calls function(Operator()) for the operator of that name, and returns what it gives. Precondition: there is
// one.
template <class Function>
auto with_operator(std::string_view name, Function function) {
  if (name == Maximum::name) return function(Maximum());
  if (name == Minimum::name) return function(Minimum());
  if (name == Product::name) return function(Product());
  if (name == SumFloat::name) return function(SumFloat());
  if (name == MaximumFloat::name) return function(MaximumFloat());
  if (name == MinimumFloat::name) return function(MinimumFloat());
  if (name == Farthest::name) return function(Farthest());
  return function(Sum());
}

// The bytes of a value, and the first value of these bytes.
template <class Value>
std::vector<unsigned char> bytes_of(const Value& value) {
  std::vector<unsigned char> bytes(sizeof(Value));
  std::memcpy(bytes.data(), &value, sizeof(Value));
  return bytes;
}
template <class Value>
Value value_of(const std::vector<unsigned char>& bytes) {
  Value value;
  std::memcpy(&value, bytes.data(), std::min(sizeof(Value), bytes.size()));
  return value;
}

// A value as people read it: "17", "0.25", "(1, 2, 3), index 5".
std::string text_of(unsigned value);
std::string text_of(float value);
std::string text_of(const Point& value);

const problems::Problem& problem();

}  // namespace reduction
