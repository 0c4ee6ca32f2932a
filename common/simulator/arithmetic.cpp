// SPDX-License-Identifier: MIT
// The integer functions of simulator/cuda/arithmetic.hpp: on whole words, and on the parts of one.
#include "simulator/cuda/arithmetic.hpp"

#include <type_traits>

#include "simulator/cuda/intrinsics.hpp"

namespace {

using Signed16 = short;
using Unsigned16 = unsigned short;
using Signed8 = signed char;
using Unsigned8 = unsigned char;

template <class Part>
constexpr unsigned part_bits = sizeof(Part) * 8;

template <class Part>
constexpr unsigned parts = 4 / sizeof(Part);

// A part of a word as an int, which holds every sum and difference of two.
template <class Part>
int part(unsigned word, unsigned index) {
  return static_cast<Part>(word >> index * part_bits<Part>);
}

// The word whose parts are function(parts of the words...), cut to their size.
template <class Part, class Function, class... Words>
unsigned by_parts(Function function, Words... words) {
  unsigned result = 0;
  for (unsigned i = 0; i < parts<Part>; ++i) {
    const auto value = static_cast<unsigned>(function(part<Part>(words, i)...));
    result |= static_cast<unsigned>(static_cast<std::make_unsigned_t<Part>>(value)) << i * part_bits<Part>;
  }
  return result;
}

template <class Part>
int saturated(int value) {
  constexpr bool is_signed = std::is_signed_v<Part>;
  constexpr int highest = (1 << (part_bits<Part> - is_signed)) - 1, lowest = is_signed ? -highest - 1 : 0;
  return value < lowest ? lowest : value > highest ? highest : value;
}

constexpr auto plus = [](int a, int b) { return a + b; };
constexpr auto minus = [](int a, int b) { return a - b; };
constexpr auto magnitude = [](int a) { return a < 0 ? -a : a; };
constexpr auto opposite = [](int a) { return -a; };
constexpr auto distance = [](int a, int b) { return a < b ? b - a : a - b; };
constexpr auto larger = [](auto a, auto b) { return a < b ? b : a; };
constexpr auto smaller = [](auto a, auto b) { return b < a ? b : a; };
// Halves go away from zero.
constexpr auto average = [](int a, int b) { return a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1; };
constexpr auto average_down = [](int a, int b) { return (a + b) >> 1; };

template <class Part, class Function>
unsigned saturated_by_parts(Function function, unsigned a, unsigned b) {
  return by_parts<Part>([&](int x, int y) { return saturated<Part>(function(x, y)); }, a, b);
}
template <class Part, class Function>
unsigned saturated_by_parts(Function function, unsigned a) {
  return by_parts<Part>([&](int x) { return saturated<Part>(function(x)); }, a);
}

template <class Part>
unsigned sum_of_distances(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (unsigned i = 0; i < parts<Part>; ++i)
    sum += static_cast<unsigned>(distance(part<Part>(a, i), part<Part>(b, i)));
  return sum;
}

}  // namespace

#define PACKED_1(name, kind, apply, function)                           \
  unsigned name##2(unsigned a) { return apply<kind##16>(function, a); } \
  unsigned name##4(unsigned a) { return apply<kind##8>(function, a); }
#define PACKED_2(name, kind, apply, function)                                          \
  unsigned name##2(unsigned a, unsigned b) { return apply<kind##16>(function, a, b); } \
  unsigned name##4(unsigned a, unsigned b) { return apply<kind##8>(function, a, b); }

PACKED_1(__vabs, Signed, by_parts, magnitude)
PACKED_1(__vabsss, Signed, saturated_by_parts, magnitude)
PACKED_1(__vneg, Signed, by_parts, opposite)
PACKED_1(__vnegss, Signed, saturated_by_parts, opposite)
PACKED_2(__vabsdiffs, Signed, by_parts, distance)
PACKED_2(__vabsdiffu, Unsigned, by_parts, distance)
PACKED_2(__vadd, Unsigned, by_parts, plus)
PACKED_2(__vaddss, Signed, saturated_by_parts, plus)
PACKED_2(__vaddus, Unsigned, saturated_by_parts, plus)
PACKED_2(__vsub, Unsigned, by_parts, minus)
PACKED_2(__vsubss, Signed, saturated_by_parts, minus)
PACKED_2(__vsubus, Unsigned, saturated_by_parts, minus)
PACKED_2(__vavgs, Signed, by_parts, average)
PACKED_2(__vavgu, Unsigned, by_parts, average)
PACKED_2(__vhaddu, Unsigned, by_parts, average_down)
PACKED_2(__vmaxs, Signed, by_parts, larger)
PACKED_2(__vmaxu, Unsigned, by_parts, larger)
PACKED_2(__vmins, Signed, by_parts, smaller)
PACKED_2(__vminu, Unsigned, by_parts, smaller)

unsigned __vsads2(unsigned a, unsigned b) { return sum_of_distances<Signed16>(a, b); }
unsigned __vsads4(unsigned a, unsigned b) { return sum_of_distances<Signed8>(a, b); }
unsigned __vsadu2(unsigned a, unsigned b) { return sum_of_distances<Unsigned16>(a, b); }
unsigned __vsadu4(unsigned a, unsigned b) { return sum_of_distances<Unsigned8>(a, b); }

#define COMPARED(suffix, kind, comparison)                                                       \
  PACKED_2(__vcmp##suffix, kind, by_parts, [](int x, int y) { return x comparison y ? -1 : 0; }) \
  PACKED_2(__vset##suffix, kind, by_parts, [](int x, int y) { return x comparison y ? 1 : 0; })
COMPARED(eq, Unsigned, ==)
COMPARED(ne, Unsigned, !=)
COMPARED(ges, Signed, >=)
COMPARED(geu, Unsigned, >=)
COMPARED(gts, Signed, >)
COMPARED(gtu, Unsigned, >)
COMPARED(les, Signed, <=)
COMPARED(leu, Unsigned, <=)
COMPARED(lts, Signed, <)
COMPARED(ltu, Unsigned, <)

namespace {

// Sums wrap around, in a word as in its parts.
int wrapped_sum(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
}

constexpr auto largest_of_three = [](auto a, auto b, auto c) { return larger(larger(a, b), c); };
constexpr auto smallest_of_three = [](auto a, auto b, auto c) { return smaller(smaller(a, b), c); };

template <class Part, class Extreme>
auto of_sum(Extreme extreme) {
  return [=](int a, int b, int c) -> int { return extreme(static_cast<Part>(a + b), static_cast<Part>(c)); };
}

template <class Function>
auto not_below_zero(Function function) {
  return [=](auto... values) { return larger(function(values...), 0); };
}

}  // namespace

#define OF_THREE(name, of_words, of_signed, of_unsigned)                              \
  int name##_s32(int a, int b, int c) { return of_words; }                            \
  int name##_s32_relu(int a, int b, int c) { return larger(name##_s32(a, b, c), 0); } \
  unsigned name##_s16x2(unsigned a, unsigned b, unsigned c) {                         \
    return by_parts<Signed16>(of_signed, a, b, c);                                    \
  }                                                                                   \
  unsigned name##_s16x2_relu(unsigned a, unsigned b, unsigned c) {                    \
    return by_parts<Signed16>(not_below_zero(of_signed), a, b, c);                    \
  }                                                                                   \
  unsigned name##_u16x2(unsigned a, unsigned b, unsigned c) {                         \
    return by_parts<Unsigned16>(of_unsigned, a, b, c);                                \
  }
OF_THREE(__vimax3, largest_of_three(a, b, c), largest_of_three, largest_of_three)
OF_THREE(__vimin3, smallest_of_three(a, b, c), smallest_of_three, smallest_of_three)
OF_THREE(__viaddmax, larger(wrapped_sum(a, b), c), of_sum<Signed16>(larger), of_sum<Unsigned16>(larger))
OF_THREE(__viaddmin, smaller(wrapped_sum(a, b), c), of_sum<Signed16>(smaller), of_sum<Unsigned16>(smaller))

unsigned __vimax3_u32(unsigned a, unsigned b, unsigned c) { return largest_of_three(a, b, c); }
unsigned __vimin3_u32(unsigned a, unsigned b, unsigned c) { return smallest_of_three(a, b, c); }
unsigned __viaddmax_u32(unsigned a, unsigned b, unsigned c) { return larger(a + b, c); }
unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) { return smaller(a + b, c); }

int __vimax_s32_relu(int a, int b) { return largest_of_three(a, b, 0); }
int __vimin_s32_relu(int a, int b) { return larger(smaller(a, b), 0); }
unsigned __vimax_s16x2_relu(unsigned a, unsigned b) {
  return by_parts<Signed16>(not_below_zero(larger), a, b);
}
unsigned __vimin_s16x2_relu(unsigned a, unsigned b) {
  return by_parts<Signed16>(not_below_zero(smaller), a, b);
}

// --- Whole words

namespace {

using Wide = long long;
using UnsignedWide = unsigned long long;
__extension__ using Widest = __int128;
__extension__ using UnsignedWidest = unsigned __int128;

UnsignedWide joined(unsigned low, unsigned high) { return static_cast<UnsignedWide>(high) << 32 | low; }

// Its low 24 bits, as a number with or without a sign.
int low_24(int x) { return static_cast<int>(static_cast<unsigned>(x) << 8) >> 8; }
unsigned low_24(unsigned x) { return x & 0xffffff; }

template <class T>
unsigned distance_of(T a, T b) {
  return a < b ? static_cast<unsigned>(b) - static_cast<unsigned>(a)
               : static_cast<unsigned>(a) - static_cast<unsigned>(b);
}

}  // namespace

unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const UnsignedWide bytes = joined(x, y);
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= (static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8) & 0xff) << 8 * i;
  return result;
}

unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i, x >>= 1) reversed = reversed << 1 | (x & 1);
  return reversed;
}

UnsignedWide __brevll(UnsignedWide x) {
  return joined(__brev(static_cast<unsigned>(x >> 32)), __brev(static_cast<unsigned>(x)));
}

// The position of the bit of `mask` that is the offset-th, from `base` up or down; base's own may be the
// first (PTX fns).
unsigned __fns(unsigned mask, unsigned base, int offset) {
  constexpr unsigned none = 0xffffffff;
  const auto is_set = [&](int position) { return position >= 0 && position < 32 && mask >> position & 1; };
  if (base > 31) return none;
  if (offset == 0) return is_set(static_cast<int>(base)) ? base : none;
  const int step = offset > 0 ? 1 : -1;
  Wide left = offset > 0 ? offset : -static_cast<Wide>(offset);
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
    if (is_set(position) && --left == 0) return static_cast<unsigned>(position);
  }
  return none;
}

unsigned simulator::ranks_of_lanes(unsigned lanes, unsigned mask) {
  unsigned ranks = 0, rank = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask >> lane & 1) ranks |= (lanes >> lane & 1) << rank++;
  }
  return ranks;
}

int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(low_24(a)) * static_cast<unsigned>(low_24(b)));
}
unsigned __umul24(unsigned a, unsigned b) { return low_24(a) * low_24(b); }
int __mulhi(int a, int b) { return static_cast<int>(static_cast<Wide>(a) * b >> 32); }
unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<UnsignedWide>(a) * b >> 32);
}
Wide __mul64hi(Wide a, Wide b) { return static_cast<Wide>(static_cast<Widest>(a) * b >> 64); }
UnsignedWide __umul64hi(UnsignedWide a, UnsignedWide b) {
  return static_cast<UnsignedWide>(static_cast<UnsignedWidest>(a) * b >> 64);
}

int __hadd(int a, int b) { return static_cast<int>((static_cast<Wide>(a) + b) >> 1); }
int __rhadd(int a, int b) { return static_cast<int>((static_cast<Wide>(a) + b + 1) >> 1); }
unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<UnsignedWide>(a) + b) >> 1);
}
unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<UnsignedWide>(a) + b + 1) >> 1);
}
unsigned __sad(int a, int b, unsigned c) { return distance_of(a, b) + c; }
unsigned __usad(unsigned a, unsigned b, unsigned c) { return distance_of(a, b) + c; }

unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(joined(low, high) << (shift & 31) >> 32);
}
unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(joined(low, high) << smaller(shift, 32u) >> 32);
}
unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(joined(low, high) >> (shift & 31));
}
unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(joined(low, high) >> smaller(shift, 32u));
}

// --- Sums of products

namespace {

template <class Vector>
unsigned word_of(const Vector& vector) {
  unsigned word = 0;
  __builtin_memcpy(&word, static_cast<const void*>(&vector), sizeof(word));
  return word;
}

// sum + the products of `count` parts of `a` by as many of `b`, from b's part `first` on
template <class PartOfA, class PartOfB>
unsigned with_products(unsigned a, unsigned b, unsigned count, unsigned first, unsigned sum) {
  for (unsigned i = 0; i < count; ++i)
    sum += static_cast<unsigned>(part<PartOfA>(a, i)) * static_cast<unsigned>(part<PartOfB>(b, first + i));
  return sum;
}

}  // namespace

#define SUM_OF_PRODUCTS(name, part_of_a, part_of_b, count, first, vector_a, vector_b)                   \
  int name(int a, int b, int sum) {                                                                     \
    return static_cast<int>(with_products<Signed##part_of_a, Signed##part_of_b>(                        \
        static_cast<unsigned>(a), static_cast<unsigned>(b), count, first, static_cast<unsigned>(sum))); \
  }                                                                                                     \
  unsigned name(unsigned a, unsigned b, unsigned sum) {                                                 \
    return with_products<Unsigned##part_of_a, Unsigned##part_of_b>(a, b, count, first, sum);            \
  }                                                                                                     \
  int name(vector_a a, vector_b b, int sum) {                                                           \
    return name(static_cast<int>(word_of(a)), static_cast<int>(word_of(b)), sum);                       \
  }                                                                                                     \
  unsigned name(u##vector_a a, u##vector_b b, unsigned sum) { return name(word_of(a), word_of(b), sum); }
// The signatures are CUDA's. NOLINTBEGIN(performance-unnecessary-value-param)
SUM_OF_PRODUCTS(__dp4a, 8, 8, 4, 0, char4, char4)
SUM_OF_PRODUCTS(__dp2a_lo, 16, 8, 2, 0, short2, char4)
SUM_OF_PRODUCTS(__dp2a_hi, 16, 8, 2, 2, short2, char4)
// NOLINTEND(performance-unnecessary-value-param)
