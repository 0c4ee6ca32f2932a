// SPDX-License-Identifier: MIT
#include "problems/reduction/generators.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "problems/reduction/problem.hpp"
#include "problems/reference.hpp"

namespace {

constexpr std::uint64_t seed = 17;

template <class Operator>
std::vector<typename Operator::value> values(std::string_view name, std::uint64_t length,
                                             std::uint64_t from_seed = seed) {
  const auto input = reduction::make_input(name, Operator::name, length, from_seed);
  REQUIRE(input->length() == length * sizeof(typename Operator::value));
  std::vector<unsigned char> bytes(input->length());
  input->read(0, bytes);
  return problems::values_of<typename Operator::value>(bytes);
}

}  // namespace

TEST_CASE("an input does not depend on the pieces in which it is read") {
  for (const problems::NamedInput& named : reduction::named_inputs()) {
    for (const problems::Variant& variant : reduction::problem().variants()) {
      const auto input = reduction::make_input(named.name, variant.name, 40'000, seed);
      std::vector<unsigned char> all(input->length()), pieces(input->length());
      input->read(0, all);
      for (std::size_t at = 0; at < pieces.size(); at += 70'001)
        input->read(at, std::span(pieces).subspan(at, std::min<std::size_t>(70'001, pieces.size() - at)));
      CHECK_MESSAGE(all == pieces, named.name << " " << variant.name);
    }
  }
}

TEST_CASE("another seed gives another input, the same seed the same") {
  for (const char* const name : {"uniform", "same", "needle"}) {
    CHECK(values<Sum>(name, 100) == values<Sum>(name, 100));
    CHECK(values<Sum>(name, 100) != values<Sum>(name, 100, seed + 1));
  }
}

TEST_CASE("no element is the identity, so that one that is lost changes the result") {
  for (const unsigned value : values<Sum>("uniform", 10'000)) CHECK_UNARY(value != 0);
  for (const unsigned value : values<Minimum>("uniform", 10'000)) CHECK_UNARY(value != 0);
  // An even factor too many, and every product would be 0.
  for (const unsigned value : values<Product>("uniform", 10'000)) CHECK_UNARY(value % 2 == 1);
  for (const unsigned value : values<Product>("special", 10'000)) CHECK_UNARY(value % 2 == 1);
  for (const float value : values<SumFloat>("uniform", 10'000)) {
    CHECK_UNARY(value != 0);
    CHECK_UNARY(std::abs(value) <= 8);
    CHECK_UNARY(value == std::floor(value));
  }
}

TEST_CASE("ascending values never fall, descending ones are the same backwards") {
  auto up = values<Maximum>("ascending", 5'000);
  const auto down = values<Maximum>("descending", 5'000);
  CHECK(std::ranges::is_sorted(up));
  CHECK(up.front() < up.back());
  std::ranges::reverse(up);
  CHECK(up == down);
  CHECK(std::ranges::is_sorted(values<MaximumFloat>("ascending", 5'000)));
  // 0 in place of an element would win against all of them.
  CHECK(values<MaximumFloat>("ascending", 5'000).back() < 0);
  CHECK(values<MinimumFloat>("ascending", 5'000).front() > 0);
}

TEST_CASE("the needle is one, lies elsewhere for another length, and wins") {
  std::set<std::uint64_t> places;
  for (std::uint64_t length = 1000; length < 1010; ++length) {
    const auto all = values<Minimum>("needle", length);
    const auto lowest = std::ranges::min_element(all);
    CHECK(std::ranges::count(all, *lowest) == 1);
    places.insert(static_cast<std::uint64_t>(lowest - all.begin()));
  }
  CHECK(places.size() > 5);
}

TEST_CASE("special floats are zeros, infinities or NaN, another kind at another length") {
  std::map<std::string, int> kinds;
  for (std::uint64_t length = 1000; length < 1050; ++length) {
    const auto all = values<MaximumFloat>("special", length);
    const bool nan = std::ranges::any_of(all, [](float value) { return std::isnan(value); });
    const bool infinite = std::ranges::any_of(all, [](float value) { return std::isinf(value); });
    const bool zeros = std::ranges::all_of(all, [](float value) { return value == 0; });
    ++kinds[nan ? "nan" : infinite ? "infinite" : zeros ? "zeros" : "other"];
  }
  CHECK(kinds.size() == 4);
}

TEST_CASE("the indices of points are all different, and are not their places") {
  std::set<unsigned> indices;
  bool in_place = true;
  const auto points = values<Farthest>("same", 5'000);
  for (std::size_t i = 0; i < points.size(); ++i) {
    indices.insert(points[i].index);
    in_place = in_place && points[i].index == i;
  }
  CHECK(indices.size() == points.size());
  CHECK_FALSE(in_place);
}

TEST_CASE("a sparse input has holes, and islands around 2^31, 2^32 and both ends") {
  constexpr std::uint64_t length = (std::uint64_t{1} << 32) + 3;
  const auto input = reduction::make_input("sparse", "sum", length, seed);
  const auto islands = input->extents();
  std::uint64_t bytes = 0;
  for (const problems::Extent& island : islands) bytes += island.length;
  CHECK(bytes < 100'000);
  for (const std::uint64_t element : {std::uint64_t{0}, (std::uint64_t{1} << 31) - 1, std::uint64_t{1} << 31,
                                      (std::uint64_t{1} << 32) - 1, std::uint64_t{1} << 32, length - 1}) {
    CHECK(std::ranges::any_of(islands, [&](const problems::Extent& island) {
      return element * 4 >= island.offset && element * 4 < island.offset + island.length;
    }));
    std::vector<unsigned char> one(4);
    input->read(element * 4, one);
    CHECK(reduction::value_of<unsigned>(one) != 0);
  }
}

TEST_CASE("an input that there is not is refused") {
  CHECK_THROWS_WITH_AS(reduction::make_input("letters", "sum", 1, seed), "no such input: letters",
                       std::invalid_argument);
}
