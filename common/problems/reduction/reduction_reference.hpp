// SPDX-License-Identifier: MIT
// The CPU's answer, which every kernel is held to, the labs' rules of technique, and the rest of what only
// the judge knows of the reduction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/reduction/problem.hpp"
#include "problems/reference.hpp"

namespace reduction {

// What is known of the sum of floats, whatever the order in which they are added: the sum as doubles give it,
// and how far a sum of floats may lie from it.
//
// Every partial sum is a float without rounding where all elements are multiples of a power of two of which
// their magnitudes together make at most 2^24: then nothing but the exact sum is right. Otherwise a sum in
// which no element goes through more than h additions is off by at most h u / (1 - h u) times the sum of the
// magnitudes, u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 4.2). In any
// order of n elements h < n; and beyond 2^20 elements a kernel adds with so many threads that no more than
// 2^20 of these additions follow one another.
struct FloatSum {
  double sum = 0, magnitudes = 0;
  std::uint64_t elements = 0;
  std::int64_t lowest_bit = 1024;  // all elements are multiples of 2 to this power

  void add(float element);
  void add(const FloatSum& other);

  bool is_exact() const;
  // How far a float sum may lie from `sum`.
  double bound() const;
  // Whether partial sums may leave the range of a float.
  bool may_overflow() const;
  // Whether it is the sum in some order. Infinities and NaN are themselves in every order; where partial sums
  // may leave the range of a float, every answer is.
  bool allows(float got) const;
};

// From here on a device may be too small for a case.
constexpr std::uint64_t huge_length = std::uint64_t{1} << 28;

// From this length on, over aligned data, the technique is judged.
constexpr std::uint64_t technique_length = (1 << 20) + 3;

// The result for a stretch of an input; offset and length in elements. One thread, or all that there are.
problems::Result expected_result(std::string_view operation, const problems::Input& input,
                                 std::uint64_t offset, std::uint64_t length, unsigned threads);

const problems::Reference& reference();

// Technique: whether the right result came about by the means that the lab teaches. Each rule asks for one
// idea alone, over exact counts of the simulator, so that a correct solution written differently passes; an
// exercise's rules together refuse the solutions of those before it.

// The first launch over aligned numbers whose sum was right.
struct Conduct {
  problems::Launch launch;
  std::uint64_t length;

  std::uint64_t of(const std::string& counter) const { return launch.of(counter); }
  std::uint64_t threads() const { return launch.threads(); }
};

// Names of the rules that a manifest may hold.
std::vector<std::string_view> technique_rules();

// What a launch lacks by one rule, in the lab's terms with the numbers that show it. Precondition: the rule
// is known.
std::optional<std::string> rule_fault(const problems::Rule& rule, const Conduct& conduct);

// The first of the rules that is not kept at this length.
std::optional<problems::TechniqueFault> technique_fault(const std::vector<problems::Rule>& rules,
                                                        std::uint64_t length, const problems::RunCase& run);

}  // namespace reduction
