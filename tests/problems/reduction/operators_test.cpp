// SPDX-License-Identifier: MIT
#include "problems/reduction/unit/operators.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "problems/reduction/problem.hpp"

using reduction::bytes_of;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// Any two of them in both orders, any three in both groupings, and each with the identity: bit for bit.
template <class Operator>
void require_laws(const std::vector<typename Operator::value>& values) {
  for (const auto& a : values) {
    CHECK(bytes_of(Operator::combine(Operator::identity(), a)) == bytes_of(a));
    CHECK(bytes_of(Operator::combine(a, Operator::identity())) == bytes_of(a));
    for (const auto& b : values) {
      CHECK(bytes_of(Operator::combine(a, b)) == bytes_of(Operator::combine(b, a)));
      for (const auto& c : values) {
        CHECK(bytes_of(Operator::combine(Operator::combine(a, b), c)) ==
              bytes_of(Operator::combine(a, Operator::combine(b, c))));
      }
    }
  }
}

const std::vector<unsigned> numbers{0, 1, 2, 3, 0x7fffffff, 0x80000000u, 0xfffffffeu, 0xffffffffu};
const std::vector<float> floats{-infinity,
                                std::numeric_limits<float>::lowest(),
                                -1.5f,
                                -std::numeric_limits<float>::denorm_min(),
                                -0.0f,
                                0.0f,
                                std::numeric_limits<float>::denorm_min(),
                                1.5f,
                                std::numeric_limits<float>::max(),
                                infinity,
                                from_bits(0x7fc00000),
                                from_bits(0x7fc00001),
                                from_bits(0xffc00000),
                                from_bits(0x7f800001)};

}  // namespace

static_assert(Sum::combine(0xffffffffu, 2) == 1);
static_assert(Product::combine(0x10000, 0x10001) == 0x10000);
static_assert(Maximum::combine(3, 5) == 5 && Minimum::combine(3, 5) == 3);
static_assert(std::is_trivially_default_constructible_v<Point> && std::is_trivially_copyable_v<Point>);
static_assert(sizeof(Point) == 16 && alignof(Point) == 16);

TEST_CASE("operators are associative and commutative, and their identity changes nothing") {
  require_laws<Sum>(numbers);
  require_laws<Maximum>(numbers);
  require_laws<Minimum>(numbers);
  require_laws<Product>(numbers);
  require_laws<MaximumFloat>(floats);
  require_laws<MinimumFloat>(floats);
}

TEST_CASE("of floats -0 is below +0, and a NaN wins against every number") {
  CHECK(std::bit_cast<std::uint32_t>(MaximumFloat::combine(-0.0f, 0.0f)) == 0);
  CHECK(std::bit_cast<std::uint32_t>(MinimumFloat::combine(-0.0f, 0.0f)) == 0x80000000u);
  for (const float nan : {from_bits(0x7fc00000), from_bits(0xffc00007)}) {
    CHECK(bytes_of(MaximumFloat::combine(nan, infinity)) == bytes_of(nan));
    CHECK(bytes_of(MinimumFloat::combine(-infinity, nan)) == bytes_of(nan));
  }
  CHECK(MaximumFloat::combine(-2.0f, -1.0f) == -1.0f);
  CHECK(MinimumFloat::combine(-2.0f, 1.0f) == -2.0f);
}

TEST_CASE("the farthest point, of those that are equally far the one with the lowest index") {
  const Point near{1, 2, 2, 1}, far{0, 0, -4, 9}, as_far{4, 0, 0, 5};
  CHECK(Farthest::combine(near, far).index == 9);
  CHECK(Farthest::combine(far, as_far).index == 5);
  CHECK(Farthest::combine(Farthest::identity(), {0, 0, 0, 7}).index == 7);
  // Their squares differ by less than a float can tell.
  CHECK(Farthest::combine({4096, 1, 0, 1}, {4096, 0, 0, 0}).index == 1);
  const float nan = from_bits(0x7fc00000);
  CHECK(Farthest::combine({nan, 0, 0, 3}, {1e30f, 1e30f, 1e30f, 2}).index == 3);
  CHECK(Farthest::combine({nan, 0, 0, 3}, {infinity, 0, 0, 2}).index == 2);
  require_laws<Farthest>({near, far, as_far, {nan, 0, 0, 3}, {0, 0, 0, 4}, {infinity, 1, 1, 6}});
}
