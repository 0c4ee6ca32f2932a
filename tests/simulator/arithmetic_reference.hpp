// SPDX-License-Identifier: MIT
// The definitions of CUDA's documentation, written as plainly as they read and without the processor's
// roundings: the values that arithmetic_cases.hpp expects.
#pragma once

#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

// --- Integers

template <class To, class From>
To ref_bits(From value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, value);
}

inline int ref_count(unsigned long long x) {
  int count = 0;
  for (; x; x /= 2) count += x % 2;
  return count;
}

// Zeros above the highest bit that is set.
inline int ref_leading(unsigned long long x, int bits) {
  int zeros = bits;
  for (; x; x /= 2) --zeros;
  return zeros;
}

// The lowest bit that is set, from 1; 0 if there is none.
inline int ref_first(unsigned long long x, int bits) {
  for (int i = 0; i < bits; ++i) {
    if (x >> i & 1) return i + 1;
  }
  return 0;
}

inline unsigned long long ref_reversed(unsigned long long x, int bits) {
  unsigned long long reversed = 0;
  for (int i = 0; i < bits; ++i) reversed |= (x >> i & 1) << (bits - 1 - i);
  return reversed;
}

inline unsigned ref_byte_perm(unsigned x, unsigned y, unsigned selector) {
  unsigned char bytes[8];
  for (unsigned i = 0; i < 4; ++i) {
    bytes[i] = static_cast<unsigned char>(x >> 8 * i);
    bytes[i + 4] = static_cast<unsigned char>(y >> 8 * i);
  }
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) result |= static_cast<unsigned>(bytes[selector >> 4 * i & 7]) << 8 * i;
  return result;
}

// PTX ISA, fns: the pseudocode of its description.
inline unsigned ref_fns(unsigned mask, int base, int offset) {
  if (offset == 0) return mask >> base & 1 ? static_cast<unsigned>(base) : 0xffffffff;
  long long count = std::llabs(offset) - 1;
  for (int position = base; position >= 0 && position<32; position += offset> 0 ? 1 : -1) {
    if (!(mask >> position & 1)) continue;
    if (count-- == 0) return static_cast<unsigned>(position);
  }
  return 0xffffffff;
}

inline long long ref_signed_24(int x) {
  const long long low = x & 0xffffff;
  return low < 0x800000 ? low : low - 0x1000000;
}

template <class T>
T ref_high_product(T a, T b) {
  __extension__ using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> 64);
}

inline long long ref_floored_half(long long x) { return (x - (x % 2 != 0 && x < 0)) / 2; }
inline long long ref_half_away_from_zero(long long x) { return (x + (x > 0) - (x < 0)) / 2; }
inline long long ref_abs(long long x) { return x < 0 ? -x : x; }
inline unsigned long long ref_joined(unsigned low, unsigned high) { return high * 0x100000000ull + low; }

// --- The parts of a word

using ref_s16 = std::int16_t;
using ref_u16 = std::uint16_t;
using ref_s8 = std::int8_t;
using ref_u8 = std::uint8_t;

template <class Part>
long long ref_part(unsigned word, unsigned index) {
  return static_cast<Part>(word >> index * sizeof(Part) * 8);
}

template <class Part>
unsigned ref_parts(unsigned a, unsigned b, unsigned c, long long (*value)(long long, long long, long long)) {
  unsigned result = 0;
  for (unsigned i = 0; i < 4 / sizeof(Part); ++i) {
    const long long of_part = value(ref_part<Part>(a, i), ref_part<Part>(b, i), ref_part<Part>(c, i));
    result |= static_cast<unsigned>(static_cast<std::make_unsigned_t<Part>>(of_part)) << i * sizeof(Part) * 8;
  }
  return result;
}

template <class Part>
long long ref_clamped(long long x) {
  if (x > std::numeric_limits<Part>::max()) return std::numeric_limits<Part>::max();
  return x < std::numeric_limits<Part>::min() ? std::numeric_limits<Part>::min() : x;
}

template <class Part>
unsigned ref_distance(unsigned a, unsigned b) {
  long long sum = 0;
  for (unsigned i = 0; i < 4 / sizeof(Part); ++i) sum += ref_abs(ref_part<Part>(a, i) - ref_part<Part>(b, i));
  return static_cast<unsigned>(sum);
}

template <class PartOfA, class PartOfB = PartOfA, class Sum>
Sum ref_dot(Sum a, Sum b, unsigned first_of_b, unsigned count, Sum sum) {
  long long result = sum;
  for (unsigned i = 0; i < count; ++i)
    result += ref_part<PartOfA>(static_cast<unsigned>(a), i) *
              ref_part<PartOfB>(static_cast<unsigned>(b), first_of_b + i);
  return static_cast<Sum>(result);
}

template <class T>
T ref_sum(T a, T b) {
  return static_cast<T>(static_cast<long long>(a) + static_cast<long long>(b));
}
template <class T, class Value>
T ref_three(long long a, long long b, long long c, Value value) {
  return value(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
}
template <class T>
T ref_not_negative(T x) {
  return x < 0 ? 0 : x;
}
template <class T>
long long ref_with(T extreme, bool is_first) {
  return static_cast<long long>(static_cast<unsigned>(extreme)) * 4 + is_first;
}
inline long long ref_with_both(unsigned extreme, unsigned is_first) {
  return static_cast<long long>(extreme) * 4 + (is_first >> 16) * 2 + (is_first & 1);
}

// --- Floating point

enum class Rounding { nearest, to_zero, up, down };

// 113 bits: products of doubles are exact.
#if defined(__FLOAT128__) || defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;
#else
using Quad = long double;
static_assert(std::numeric_limits<Quad>::digits >= 113);
#endif

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// The T that an exact value is rounded to, which is not 0. `difference_from(c)` has the sign of c less the
// value, for every c of one bit more than a T. The bits of numbers above 0 are in the numbers' order, so that
// the neighbours of the value are found by halving.
template <class T, class Difference>
T ref_rounded(Difference difference_from, Rounding mode) {
  using Bits = BitsOf<T>;
  const bool is_negative = difference_from(Quad{0}) > 0;
  const Bits infinity = ref_bits<Bits>(std::numeric_limits<T>::infinity());
  const auto number = [&](Bits bits) -> Quad {
    if (bits < infinity) return ref_bits<T>(bits);
    return static_cast<Quad>(std::numeric_limits<T>::max()) +
           (static_cast<Quad>(std::numeric_limits<T>::max()) - ref_bits<T>(static_cast<Bits>(infinity - 2)));
  };
  const auto difference = [&](Quad c) {
    return is_negative ? -static_cast<Quad>(difference_from(-c)) : static_cast<Quad>(difference_from(c));
  };
  Bits low = 0, high = infinity;  // low's number is not above the value
  while (high - low > 1) {
    const Bits middle = low + (high - low) / 2;
    (difference(number(middle)) > 0 ? high : low) = middle;
  }
  const bool is_exact = difference(number(low)) == 0;
  Bits bits = low;
  if (!is_exact) {
    const Quad beyond = difference((number(low) + number(high)) / 2);
    const bool away = mode == (is_negative ? Rounding::down : Rounding::up) ||
                      (mode == Rounding::nearest && (beyond < 0 || (beyond == 0 && low % 2 == 1)));
    if (away) bits = high;
  }
  return is_negative ? -ref_bits<T>(bits) : ref_bits<T>(bits);
}

// The sign of c - (a + b): the sum as its rounded value and what that is off by (Knuth's TwoSum).
inline Quad ref_from_sum(Quad c, Quad a, Quad b) {
  const Quad sum = a + b, of_b = sum - a;
  const Quad rest = (a - (sum - of_b)) + (b - of_b), from_sum = c - sum;
  return from_sum > rest ? 1 : from_sum < rest ? -1 : 0;
}

template <class T>
T ref_multiplied_and_added(T a, T b, T c, Rounding mode) {
  const T plainly = std::fma(a, b, c);
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return plainly;
  const Quad product = static_cast<Quad>(a) * b;
  if (product == 0 && c == 0 && (std::signbit(a) != std::signbit(b)) == std::signbit(c)) return c;
  if (product + c == 0) return mode == Rounding::down ? T{-0.0} : T{0};
  return ref_rounded<T>([&](Quad x) { return ref_from_sum(x, product, c); }, mode);
}

template <class T>
T ref_added(T a, T b, Rounding mode) {
  return ref_multiplied_and_added(a, T{1}, b, mode);
}

template <class T>
T ref_multiplied(T a, T b, Rounding mode) {
  const T plainly = a * b;
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) return plainly;
  return ref_rounded<T>([&](Quad x) { return x - static_cast<Quad>(a) * b; }, mode);
}

template <class T>
T ref_divided(T a, T b, Rounding mode) {
  const T plainly = a / b;
  if (!std::isfinite(a) || !std::isfinite(b) || a == 0 || b == 0) return plainly;
  // x is below a/b where x*b is below a, or above it if b is negative
  return ref_rounded<T>([&](Quad x) { return b > 0 ? x * b - a : a - x * b; }, mode);
}

template <class T>
T ref_square_root(T a, Rounding mode) {
  if (!(a > 0) || !std::isfinite(a)) return std::sqrt(a);
  return ref_rounded<T>([&](Quad x) { return x < 0 ? Quad{-1} : x * x - a; }, mode);
}

inline float ref_reciprocal_root(float a) {
  if (!(a > 0) || !std::isfinite(a)) return 1 / std::sqrt(a);
  return ref_rounded<float>([&](Quad x) { return x < 0 ? Quad{-1} : x * x * a - 1; }, Rounding::nearest);
}

template <class T, class From>
T ref_floating(From value, Rounding mode) {
  if (value == 0 || !(static_cast<Quad>(value) - static_cast<Quad>(value) == 0)) return static_cast<T>(value);
  return ref_rounded<T>([&](Quad x) { return x - static_cast<Quad>(value); }, mode);
}

// A whole number, with the sign of what it was made of.
template <class T>
T ref_whole(T x, Rounding mode) {
  constexpr T all_whole = sizeof(T) == 4 ? 0x1p23 : 0x1p52;
  if (!(x > -all_whole && x < all_whole)) return x;
  auto whole = static_cast<long long>(x);
  const T rest = x - static_cast<T>(whole);
  if (mode == Rounding::up && rest > 0) ++whole;
  if (mode == Rounding::down && rest < 0) --whole;
  if (mode == Rounding::nearest && (rest > 0.5 || (rest == 0.5 && whole % 2))) ++whole;
  if (mode == Rounding::nearest && (rest < -0.5 || (rest == -0.5 && whole % 2))) --whole;
  return std::copysign(static_cast<T>(whole), x);
}

// PTX ISA, cvt: clamped; NaN is 0, or the highest bit alone where 64 bits take part.
template <class To, class From>
To ref_integer(From x, Rounding mode) {
  if (x != x) return sizeof(To) + sizeof(From) == 8 ? 0 : static_cast<To>(1ull << (sizeof(To) * 8 - 1));
  const Quad whole = ref_whole(x, mode);
  if (whole > static_cast<Quad>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  if (whole < static_cast<Quad>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  return static_cast<To>(whole);
}

// The lower (-1) or higher (1) one; a number rather than NaN, and 0 without a sign.
inline float ref_extreme(float a, float b, int which) {
  if (a != a || b != b) return a != a ? b + 0.0f : a + 0.0f;
  return ((a < b) == (which < 0) ? a : b) + 0.0f;
}
