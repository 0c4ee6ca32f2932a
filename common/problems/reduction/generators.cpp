// SPDX-License-Identifier: MIT
// Random values are made in blocks, each from a random sequence of its own that starts from the seed and the
// block's number, so that any stretch of an input can be made without what comes before it.
#include "problems/reduction/generators.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "problems/random.hpp"
#include "problems/reduction/problem.hpp"

namespace reduction {

namespace {

using problems::Extent;
using problems::Random;
using problems::split_mix;

constexpr std::size_t block_bytes = std::size_t{64} * 1024;

// What an input's elements depend on besides their place.
struct Plan {
  std::uint64_t length, seed;

  // Drawn once for an input; each `number` gives another.
  std::uint64_t drawn(std::uint64_t number) const {
    std::uint64_t state = seed ^ (number << 32);
    split_mix(state);
    return split_mix(state);
  }
  // The same, but another one for another length too, so that a check meets many of them.
  std::uint64_t drawn_for_length(std::uint64_t number) const {
    std::uint64_t state = drawn(number) ^ length;
    return split_mix(state);
  }
};

// For each operator, values that tell whether every element takes part exactly once:
//   uniform(bits)        from 64 random bits
//   ascending(i, plan)   never smaller than the one before, for lengths up to 2^31
//   usual(plan)          one value, drawn from the seed
//   extreme(plan)        one value that wins against, or outweighs, any number of usual ones
//   special(bits, plan)  where arithmetic has its edges
//   identity             changes nothing

// Sum, and maximum with values above 0.
struct Numbers {
  static unsigned uniform(std::uint64_t bits) { return std::max(static_cast<unsigned>(bits >> 32), 1u); }
  static unsigned ascending(std::uint64_t i, const Plan& plan) {
    return static_cast<unsigned>((plan.drawn(1) & 0x3fffffff) + 1 + i);
  }
  static unsigned usual(const Plan& plan) { return static_cast<unsigned>(plan.drawn(2) & 0x7fffffff) | 1; }
  static unsigned extreme(const Plan& plan) {
    return 0x80000000u + static_cast<unsigned>(plan.drawn(3) & 0x7fffffff);
  }
  static unsigned special(std::uint64_t bits, const Plan&) {
    constexpr std::array<unsigned, 8> edges{0,          1,           0xffff,      0x10000,
                                            0x7fffffff, 0x80000000u, 0x80000001u, 0xfffffffeu};
    return edges[bits >> 61];
  }
};

struct NumbersForMinimum : Numbers {
  static unsigned usual(const Plan& plan) { return Numbers::extreme(plan); }
  static unsigned extreme(const Plan& plan) { return Numbers::usual(plan); }
  static unsigned special(std::uint64_t bits, const Plan& plan) { return ~Numbers::special(bits, plan); }
};

// Odd: no product of them is 0, and each factor can be told from its absence.
struct Factors : Numbers {
  static unsigned uniform(std::uint64_t bits) { return Numbers::uniform(bits) | 1; }
  static unsigned ascending(std::uint64_t i, const Plan& plan) { return Numbers::ascending(2 * i, plan) | 1; }
  static unsigned usual(const Plan& plan) { return Numbers::usual(plan) | 2; }
  static unsigned extreme(const Plan& plan) { return Numbers::extreme(plan) | 3; }
  static unsigned special(std::uint64_t bits, const Plan& plan) { return Numbers::special(bits, plan) | 1; }
};

constexpr float infinity = std::numeric_limits<float>::infinity();

float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// What a float's special values are about in an input: all of them at once would leave nothing but NaN.
enum class Edge { zeros, smallest, infinity, both_infinities, nan };
Edge edge_of(const Plan& plan) { return static_cast<Edge>(plan.drawn_for_length(4) % 5); }

float edge_value(std::uint64_t bits, Edge edge) {
  const bool negative = bits >> 63;
  const std::uint32_t sign = negative ? 0x80000000u : 0;
  const std::uint64_t drawn = bits >> 3 & 0xff;
  switch (edge) {
    case Edge::zeros:
      return from_bits(sign);
    case Edge::smallest:
      return from_bits(sign | static_cast<std::uint32_t>(drawn));
    case Edge::infinity:
      return drawn == 0 ? infinity : from_bits(sign);
    case Edge::both_infinities:
      return drawn < 8 ? (negative ? -infinity : infinity) : static_cast<float>(drawn) - 128;
    default:
      return drawn == 0 ? from_bits(sign | 0x7fc00000u | static_cast<std::uint32_t>(bits >> 16 & 0xffff))
                        : static_cast<float>(drawn) - 128;
  }
}

// Whole numbers from -8 to 8 without 0: up to some 2^21 of them every partial sum is exact in every order.
struct SmallNumbers {
  static float uniform(std::uint64_t bits) {
    const float magnitude = static_cast<float>((bits >> 60 & 7) + 1);
    return bits >> 63 ? -magnitude : magnitude;
  }
  static float ascending(std::uint64_t i, const Plan& plan) {
    return static_cast<float>(static_cast<std::int64_t>(i / (plan.length / 16 + 1)) - 8) + 0.5f;
  }
  static float usual(const Plan& plan) { return static_cast<float>((plan.drawn(2) & 3) + 1); }
  static float extreme(const Plan& plan) { return static_cast<float>((1 << 21) + (plan.drawn(3) & 0xfffff)); }
  static float special(std::uint64_t bits, const Plan& plan) { return edge_value(bits, edge_of(plan)); }
};

// Of either sign and many magnitudes.
float any_float(std::uint64_t bits) {
  constexpr int mantissa_bits = 23, lowest_exponent = 127 - 16;
  const std::uint32_t exponent = lowest_exponent + static_cast<std::uint32_t>(bits >> 40 & 31);
  return from_bits((bits >> 63 ? 0x80000000u : 0) | exponent << mantissa_bits |
                   static_cast<std::uint32_t>(bits & ((1 << mantissa_bits) - 1)));
}

// Negative where nothing is extreme: 0 would win against them.
struct FloatsForMaximum {
  static float uniform(std::uint64_t bits) { return any_float(bits); }
  static float ascending(std::uint64_t i, const Plan& plan) {
    return static_cast<float>(static_cast<double>(i) - static_cast<double>(plan.length)) - 0.5f;
  }
  static float usual(const Plan& plan) { return -1000 - static_cast<float>(plan.drawn(2) & 0xffff) / 16; }
  static float extreme(const Plan& plan) { return -1 - static_cast<float>(plan.drawn(3) & 0x1fff) / 16; }
  static float special(std::uint64_t bits, const Plan& plan) {
    // -0 nearly everywhere, so that a single +0 decides.
    if (edge_of(plan) == Edge::zeros) return bits % (plan.length + 1) == 0 ? 0.0f : -0.0f;
    return edge_value(bits, edge_of(plan));
  }
};

struct FloatsForMinimum : FloatsForMaximum {
  static float ascending(std::uint64_t i, const Plan&) { return static_cast<float>(i) + 0.5f; }
  static float usual(const Plan& plan) { return -FloatsForMaximum::usual(plan); }
  static float extreme(const Plan& plan) { return -FloatsForMaximum::extreme(plan); }
  static float special(std::uint64_t bits, const Plan& plan) {
    return -FloatsForMaximum::special(bits, plan);
  }
};

// Their indices come later. Whole coordinates, so that some are equally far.
struct Points {
  static Point uniform(std::uint64_t bits) {
    const auto coordinate = [&](int shift) { return static_cast<float>(bits >> shift & 0x3ff) - 511; };
    return {coordinate(54), coordinate(44), coordinate(34), 0};
  }
  static Point ascending(std::uint64_t i, const Plan&) { return {static_cast<float>(i) + 1, 2, -3, 0}; }
  static Point usual(const Plan& plan) {
    const std::uint64_t bits = plan.drawn(2);
    return {static_cast<float>(bits & 15) + 1, -static_cast<float>(bits >> 4 & 15),
            static_cast<float>(bits >> 8 & 15), 0};
  }
  static Point extreme(const Plan& plan) {
    Point point = uniform(plan.drawn(3));
    point.z = -1000;
    return point;
  }
  static Point special(std::uint64_t bits, const Plan& plan) {
    return {edge_value(bits, edge_of(plan)), 1, edge_value(std::rotl(bits, 20), edge_of(plan)), 0};
  }
};

template <class Operator>
struct ValuesOf : Numbers {};
template <>
struct ValuesOf<Minimum> : NumbersForMinimum {};
template <>
struct ValuesOf<Product> : Factors {};
template <>
struct ValuesOf<SumFloat> : SmallNumbers {};
template <>
struct ValuesOf<MaximumFloat> : FloatsForMaximum {};
template <>
struct ValuesOf<MinimumFloat> : FloatsForMinimum {};
template <>
struct ValuesOf<Farthest> : Points {};

// A point's index is not its place, or the first of those that are equally far would be the one to find.
// Different for each of 2^32 places.
template <class Value>
Value placed(Value value, std::uint64_t, const Plan&) {
  return value;
}
Point placed(Point point, std::uint64_t i, const Plan& plan) {
  const auto factor = static_cast<unsigned>(plan.drawn(5)) | 1, offset = static_cast<unsigned>(plan.drawn(6));
  point.index = static_cast<unsigned>(i) * factor + offset;
  return point;
}

// An input whose elements are value_of(i, bits) with 64 random bits each.
template <class Value, class ValueOf>
class MadeInput final : public Input {
 public:
  MadeInput(const Plan& plan, ValueOf value_of) : plan_(plan), value_of_(value_of) {}

  std::uint64_t length() const override { return plan_.length * sizeof(Value); }

  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    std::array<Value, block_bytes / sizeof(Value)> block;
    while (!out.empty()) {
      const std::uint64_t number = offset / block_bytes, first = number * block.size();
      const std::size_t skipped = offset % block_bytes;
      const std::size_t taken = std::min(out.size(), block_bytes - skipped);
      Random random(plan_.seed, number);
      for (std::size_t i = 0; i * sizeof(Value) < skipped + taken; ++i)
        block[i] = placed(value_of_(first + i, random.next()), first + i, plan_);
      std::memcpy(out.data(), reinterpret_cast<const unsigned char*>(block.data()) + skipped, taken);
      offset += taken;
      out = out.subspan(taken);
    }
  }

 private:
  Plan plan_;
  ValueOf value_of_;
};

template <class Operator, class ValueOf>
std::unique_ptr<Input> made(const Plan& plan, ValueOf value_of) {
  return std::make_unique<MadeInput<typename Operator::value, ValueOf>>(plan, value_of);
}

template <class Operator>
std::unique_ptr<Input> make_uniform(const Plan& plan) {
  return made<Operator>(plan,
                        [](std::uint64_t, std::uint64_t bits) { return ValuesOf<Operator>::uniform(bits); });
}

template <class Operator>
std::unique_ptr<Input> make_same(const Plan& plan) {
  return made<Operator>(
      plan, [value = ValuesOf<Operator>::usual(plan)](std::uint64_t, std::uint64_t) { return value; });
}

template <class Operator>
std::unique_ptr<Input> make_ascending(const Plan& plan) {
  return made<Operator>(
      plan, [plan](std::uint64_t i, std::uint64_t) { return ValuesOf<Operator>::ascending(i, plan); });
}

template <class Operator>
std::unique_ptr<Input> make_descending(const Plan& plan) {
  return made<Operator>(plan, [plan](std::uint64_t i, std::uint64_t) {
    return ValuesOf<Operator>::ascending(plan.length - 1 - i, plan);
  });
}

template <class Operator>
std::unique_ptr<Input> make_needle(const Plan& plan) {
  const std::uint64_t place = plan.length == 0 ? 0 : plan.drawn_for_length(7) % plan.length;
  return made<Operator>(
      plan, [place, usual = ValuesOf<Operator>::usual(plan), extreme = ValuesOf<Operator>::extreme(plan)](
                std::uint64_t i, std::uint64_t) { return i == place ? extreme : usual; });
}

template <class Operator>
std::unique_ptr<Input> make_special(const Plan& plan) {
  return made<Operator>(
      plan, [plan](std::uint64_t, std::uint64_t bits) { return ValuesOf<Operator>::special(bits, plan); });
}

// What is made of another input at some places, and bytes of 0 or an operator's identity elsewhere.
class IslandInput final : public Input {
 public:
  // Places in bytes, in ascending order. `elsewhere`: an element.
  IslandInput(std::unique_ptr<Input> islands, std::vector<Extent> places,
              std::vector<unsigned char> elsewhere)
      : islands_(std::move(islands)), places_(std::move(places)), elsewhere_(std::move(elsewhere)) {}

  std::uint64_t length() const override { return islands_->length(); }

  std::vector<Extent> extents() const override {
    const bool holes = std::ranges::all_of(elsewhere_, [](unsigned char byte) { return byte == 0; });
    return holes ? places_ : Input::extents();
  }

  void read(std::uint64_t offset, std::span<unsigned char> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = elsewhere_[(offset + i) % elsewhere_.size()];
    for (const Extent& place : places_) {
      const std::uint64_t begin = std::max(offset, place.offset);
      const std::uint64_t end = std::min(offset + out.size(), place.offset + place.length);
      if (begin < end) islands_->read(begin, out.subspan(begin - offset, end - begin));
    }
  }

 private:
  std::unique_ptr<Input> islands_;
  std::vector<Extent> places_;
  std::vector<unsigned char> elsewhere_;
};

// 0 everywhere but around the places where 32-bit arithmetic breaks, counted in elements as well as in bytes,
// and at both ends.
std::vector<Extent> sparse_places(std::uint64_t length) {
  constexpr std::uint64_t reach = 256, step = std::uint64_t{1} << 28;
  std::vector<std::uint64_t> centres{0};
  for (std::uint64_t centre = step; centre < length; centre += step) centres.push_back(centre);
  centres.push_back(length);
  std::vector<Extent> places;
  std::uint64_t end_of_last = 0;
  for (const std::uint64_t centre : centres) {
    const std::uint64_t begin = std::max(centre < reach ? 0 : centre - reach, end_of_last);
    const std::uint64_t end = std::min(centre + reach, length);
    if (begin >= end) continue;
    places.push_back({begin, end - begin});
    end_of_last = end;
  }
  return places;
}

std::vector<Extent> in_bytes(std::vector<Extent> places, std::size_t element_bytes) {
  for (Extent& place : places) place = {place.offset * element_bytes, place.length * element_bytes};
  return places;
}

template <class Operator>
std::unique_ptr<Input> make_sparse(const Plan& plan) {
  constexpr std::size_t bytes = sizeof(typename Operator::value);
  return std::make_unique<IslandInput>(make_uniform<Operator>(plan),
                                       in_bytes(sparse_places(plan.length), bytes),
                                       std::vector<unsigned char>(bytes));
}

constexpr std::array<NamedInput, 7> all_inputs{{
    {"uniform", "values drawn uniformly"},
    {"same", "one value, repeated"},
    {"ascending", "each value at least as large as the one before"},
    {"descending", "the same backwards"},
    {"needle", "one value, repeated, but for one that outweighs it, at a drawn place"},
    {"special", "the edges of arithmetic: largest and smallest numbers; of floats -0, infinities, NaN"},
    {"sparse", "0, with uniform values around every 2^28th place and at both ends"},
}};

template <class Operator>
std::unique_ptr<Input> make(std::string_view name, const Plan& plan) {
  using Make = std::unique_ptr<Input> (*)(const Plan&);
  constexpr std::array<Make, all_inputs.size()> makers{
      make_uniform<Operator>, make_same<Operator>,    make_ascending<Operator>, make_descending<Operator>,
      make_needle<Operator>,  make_special<Operator>, make_sparse<Operator>};
  const auto found = std::ranges::find(all_inputs, name, &NamedInput::name);
  if (found == all_inputs.end()) throw std::invalid_argument("no such input: " + std::string(name));
  return makers[static_cast<std::size_t>(found - all_inputs.begin())](plan);
}

}  // namespace

std::span<const NamedInput> named_inputs() { return all_inputs; }

std::unique_ptr<Input> make_input(std::string_view name, std::string_view operation, std::uint64_t length,
                                  std::uint64_t seed) {
  return with_operator(operation, [&](auto op) { return make<decltype(op)>(name, Plan{length, seed}); });
}

}  // namespace reduction
