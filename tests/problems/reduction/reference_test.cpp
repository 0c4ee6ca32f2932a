// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "problems/reduction/generators.hpp"
#include "problems/reduction/reduction_reference.hpp"

using problems::Output;
using reduction::bytes_of;
using reduction::FloatSum;

namespace {

const problems::Reference& reference = reduction::reference();

template <class Value>
std::unique_ptr<problems::Input> held(const std::vector<Value>& values) {
  return problems::hold(problems::bytes_of<Value>(values));
}

template <class Operator>
problems::Result expected(const std::vector<typename Operator::value>& values) {
  return reference.expected(Operator::name, *held(values), 0, values.size());
}

template <class Operator>
bool is_right(const std::vector<typename Operator::value>& values, typename Operator::value got) {
  return !reference.compare(Operator::name, expected<Operator>(values), bytes_of(got));
}

FloatSum sum_of(const std::vector<float>& values) {
  FloatSum sum;
  for (const float value : values) sum.add(value);
  return sum;
}

constexpr float infinite = std::numeric_limits<float>::infinity();
const float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("each operator's result, also of nothing") {
  CHECK(is_right<Sum>({0xffffffffu, 3}, 2));
  CHECK_FALSE(is_right<Sum>({0xffffffffu, 3}, 3));
  CHECK(is_right<Product>({3, 5, 0x10001}, 15 * 0x10001));
  CHECK(is_right<Maximum>({3, 5, 4}, 5));
  CHECK(is_right<Minimum>({3, 5, 4}, 3));
  CHECK(is_right<MaximumFloat>({-2, not_a_number, 1}, not_a_number));
  CHECK_FALSE(is_right<MaximumFloat>({-0.0f, 0.0f}, -0.0f));
  CHECK(is_right<Sum>({}, 0));
  CHECK(is_right<Minimum>({}, 0xffffffffu));
  CHECK(is_right<Product>({}, 1));
  CHECK(is_right<MaximumFloat>({}, -infinite));
  CHECK(is_right<SumFloat>({}, 0));
}

TEST_CASE("one thread and many give the same, with holes and without") {
  for (const char* const name : {"uniform", "sparse"}) {
    for (const problems::Variant& variant : reduction::problem().variants()) {
      constexpr std::uint64_t length = (1 << 20) + 77;
      const auto input = reduction::make_input(name, variant.name, length, 3);
      const auto one = reduction::expected_result(variant.name, *input, 0, length, 1);
      CHECK(reduction::expected_result(variant.name, *input, 0, length, 5) == one);
      // Two stretches, added up.
      auto sum = reference.expected(variant.name, *input, 0, 1000);
      reference.add(variant.name, sum, reference.expected(variant.name, *input, 1000, length - 1000));
      CHECK(sum == one);
    }
  }
}

TEST_CASE("a wrong result is told with the right one") {
  const auto finding = reference.compare("sum", expected<Sum>({1, 2}), bytes_of(5u));
  REQUIRE(finding);
  CHECK(finding->verdict == facts::Verdict::wrong_answer);
  CHECK(finding->message == "expected 3, got 5");
  const auto point =
      reference.compare("farthest", expected<Farthest>({{1, 2, 3, 4}}), bytes_of(Point{0, 0, 0, 1}));
  CHECK(point->message == "expected (1, 2, 3), index 4, got (0, 0, 0), index 1");
  CHECK(reference.compare("sum", expected<Sum>({1}), Output(3))->verdict == facts::Verdict::protocol);
}

TEST_CASE("a sum of floats whose partial sums are all exact has to be exact") {
  const FloatSum small = sum_of({1, -8, 0.5f});
  CHECK(small.is_exact());
  CHECK(small.bound() == 0);
  CHECK(small.allows(-6.5f));
  CHECK_FALSE(small.allows(-6.0f));
  // Of the inputs for it one element that is lost or doubled is told.
  const auto input = reduction::make_input("uniform", "sum_float", 1 << 20, 5);
  std::vector<unsigned char> bytes(input->length());
  input->read(0, bytes);
  const FloatSum all = sum_of(problems::values_of<float>(bytes));
  CHECK(all.is_exact());
  CHECK(all.allows(static_cast<float>(all.sum)));
  CHECK_FALSE(all.allows(static_cast<float>(all.sum) - 1));
}

TEST_CASE("other sums of floats may be off by what the order of the additions can make") {
  std::vector<float> values;
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) values.push_back(static_cast<float>(random()) * 1e-3f);
  const FloatSum sum = sum_of(values);
  CHECK_FALSE(sum.is_exact());
  CHECK(sum.bound() > 0);
  for (int order = 0; order < 20; ++order) {
    std::ranges::shuffle(values, random);
    float in_a_row = 0;
    for (const float value : values) in_a_row += value;
    CHECK(sum.allows(in_a_row));
    std::vector<float> tree = values;
    for (std::size_t left = tree.size(); left > 1; left = (left + 1) / 2) {
      for (std::size_t i = 0; i < left / 2; ++i) tree[i] += tree[left - 1 - i];
    }
    CHECK(sum.allows(tree.front()));
  }
  CHECK_FALSE(sum.allows(static_cast<float>(sum.sum * 1.01)));
  // 4999 additions, each off by at most 2^-24 of what there is.
  CHECK(sum.bound() == doctest::Approx(4999 * 0x1p-24 / (1 - 4999 * 0x1p-24) * sum.magnitudes));
}

TEST_CASE("infinities and NaN are themselves in a sum, and beyond the largest float nothing is told") {
  CHECK(sum_of({1, not_a_number}).allows(not_a_number));
  CHECK_FALSE(sum_of({1, not_a_number}).allows(1));
  CHECK(sum_of({1, infinite}).allows(infinite));
  CHECK_FALSE(sum_of({1, infinite}).allows(-infinite));
  CHECK_FALSE(sum_of({1, infinite}).allows(not_a_number));
  CHECK(sum_of({infinite, -infinite}).allows(not_a_number));
  CHECK_FALSE(sum_of({1, 2}).allows(not_a_number));
  CHECK(sum_of({-0.0f, -0.0f}).allows(0.0f));
  constexpr float most = std::numeric_limits<float>::max();
  CHECK(sum_of({most, most, -most}).allows(infinite));
  CHECK(sum_of({most, most, -most}).allows(most));
}

TEST_CASE("a right result is equal to the CPU's, but a sum of floats that are rounded is within its bound") {
  const auto agreement = [](std::string_view variant, const problems::Result& expected,
                            const problems::Output& got) {
    return reference.agreement(variant, expected, reference.result_of(variant, got));
  };
  const std::string equal = "equal to the CPU's result";
  CHECK(agreement("maximum", expected<Maximum>({3, 5}), bytes_of(5u)) == equal);
  CHECK(agreement("sum_float", expected<SumFloat>({3, 5}), bytes_of(8.0f)) == equal);
  CHECK(agreement("sum_float", expected<SumFloat>({not_a_number, 5}), bytes_of(not_a_number)) == equal);
  // 2^24 + 1 is no float.
  CHECK(agreement("sum_float", expected<SumFloat>({16777216, 1}), bytes_of(16777216.0f)) ==
        "1 off the CPU's result, within the bound of 1 for rounding in any order");
  CHECK(agreement("sum_float", expected<SumFloat>({3e38f, 3e38f, -3e38f}), bytes_of(infinite)) ==
        "not compared: added in some orders, these numbers leave the range of a float");
}

TEST_CASE("a document has the result and what each block left") {
  nlohmann::ordered_json document;
  reference.write(document, "sum", expected<Sum>({1, 2, 3}),
                  problems::bytes_of<unsigned>(std::vector<unsigned>{1, 5}));
  CHECK(document.dump() == R"({"result":6,"partials":[1,5]})");
  document = {};
  reference.write(document, "maximum_float", expected<MaximumFloat>({}), {});
  CHECK(document.dump() == R"({"result":"-inf","partials":[]})");
  document = {};
  reference.write(document, "farthest", expected<Farthest>({{1, 2, 3, 4}}), {});
  CHECK(document.dump() == R"({"result":{"x":1.0,"y":2.0,"z":3.0,"index":4},"partials":[]})");
}

TEST_CASE("bars are what the blocks left; many blocks share a bar, combined by the operator") {
  const auto bars =
      reference.bars("sum", {}, problems::bytes_of<unsigned>(std::vector<unsigned>{10, 40}), {});
  REQUIRE(bars.size() == 2);
  CHECK(bars[0].label == "block 0");
  CHECK(bars[0].text == "10");
  CHECK(bars[1].value == 4 * bars[0].value);
  std::vector<unsigned> many(40);
  for (unsigned i = 0; i < 40; ++i) many[i] = i;
  const auto shared = reference.bars("maximum", {}, problems::bytes_of<unsigned>(many), {});
  REQUIRE(shared.size() == 14);
  CHECK(shared[0].label == "blocks 0 to 2");
  CHECK(shared[0].text == "2");
  CHECK(shared[13].label == "block 39");
  CHECK(reference.result_text("sum", expected<Sum>({1, 2})) == "result: 3");
}

TEST_CASE("short lengths go through every operator with several inputs, long ones through one") {
  const auto cases = reference.cases(1000, 0);
  for (const problems::Variant& variant : reduction::problem().variants()) {
    CHECK(std::ranges::count(cases, variant.name, &problems::Case::variant) == 5);
  }
  CHECK(reference.cases(reference.technique_length(), 0) ==
        std::vector<problems::Case>{{"sum", "uniform", reference.technique_length()}});
  for (const problems::Case& huge : reference.cases(std::uint64_t{1} << 32, 0)) CHECK(huge.input == "sparse");
  for (const problems::Case& drawn : reference.drawn_cases(9)) CHECK(drawn.length <= 20'000);
}
