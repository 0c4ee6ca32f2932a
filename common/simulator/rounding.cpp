// SPDX-License-Identifier: MIT
// The floating-point functions of simulator/cuda/arithmetic.hpp: conversions, and arithmetic by a rounding.
//
// The processor rounds as it is told to (fesetround). Operands and results are volatile, for otherwise the
// compiler, which assumes that nobody tells it, would compute before or after.
#include <cfenv>
#include <cmath>
#include <limits>
#include <tuple>

#include "simulator/cuda/arithmetic.hpp"

namespace {

template <class T>
class Operand {
 public:
  Operand(T value) : value_(value) {}
  operator T() const { return value_; }

 private:
  volatile T value_;
};

template <class T, class Function, class... Operands>
[[gnu::noinline]] T rounded(int mode, Function function, Operands... operands) {
  const std::tuple<Operand<Operands>...> kept(operands...);
  const int before = std::fegetround();
  std::fesetround(mode);
  const volatile T result =
      std::apply([&](const auto&... each) { return function(Operands(each)...); }, kept);
  std::fesetround(before);
  return result;
}

// PTX cvt: out of range becomes the nearest that there is; NaN becomes 0, or the highest bit alone where 64
// bits take part.
template <class To, class From>
To to_integer(From x) {
  constexpr bool is_wide = sizeof(To) == 8 || sizeof(From) == 8;
  if (std::isnan(x)) return is_wide ? static_cast<To>(To{1} << (sizeof(To) * 8 - 1)) : To{0};
  constexpr From beyond = static_cast<From>(static_cast<To>(To{1} << (sizeof(To) * 8 - 2))) *
                          (std::numeric_limits<To>::is_signed ? 2 : 4);
  if (x >= beyond) return std::numeric_limits<To>::max();
  constexpr From lowest = std::numeric_limits<To>::is_signed ? -beyond : 0;
  if (x <= lowest) return std::numeric_limits<To>::min();
  return static_cast<To>(x);
}

}  // namespace

#define IN_EACH_ROUNDING(DEFINE, ...)     \
  DEFINE(_rn, FE_TONEAREST, __VA_ARGS__)  \
  DEFINE(_rz, FE_TOWARDZERO, __VA_ARGS__) \
  DEFINE(_ru, FE_UPWARD, __VA_ARGS__)     \
  DEFINE(_rd, FE_DOWNWARD, __VA_ARGS__)

// --- To an integer: the number is made whole first, which is exact

#define TO_INTEGER(suffix, mode, name, to, from)        \
  to name##suffix(from x) {                             \
    return to_integer<to>(rounded<from>(                \
        mode, [](from v) { return std::rint(v); }, x)); \
  }
IN_EACH_ROUNDING(TO_INTEGER, __float2int, int, float)
IN_EACH_ROUNDING(TO_INTEGER, __float2uint, unsigned, float)
IN_EACH_ROUNDING(TO_INTEGER, __float2ll, long long, float)
IN_EACH_ROUNDING(TO_INTEGER, __float2ull, unsigned long long, float)
IN_EACH_ROUNDING(TO_INTEGER, __double2int, int, double)
IN_EACH_ROUNDING(TO_INTEGER, __double2uint, unsigned, double)
IN_EACH_ROUNDING(TO_INTEGER, __double2ll, long long, double)
IN_EACH_ROUNDING(TO_INTEGER, __double2ull, unsigned long long, double)

// --- To a floating-point number

#define CONVERTED(suffix, mode, name, to, from)              \
  to name##suffix(from x) {                                  \
    return rounded<to>(                                      \
        mode, [](from v) { return static_cast<to>(v); }, x); \
  }
IN_EACH_ROUNDING(CONVERTED, __int2float, float, int)
IN_EACH_ROUNDING(CONVERTED, __uint2float, float, unsigned)
IN_EACH_ROUNDING(CONVERTED, __ll2float, float, long long)
IN_EACH_ROUNDING(CONVERTED, __ull2float, float, unsigned long long)
IN_EACH_ROUNDING(CONVERTED, __double2float, float, double)
IN_EACH_ROUNDING(CONVERTED, __ll2double, double, long long)
IN_EACH_ROUNDING(CONVERTED, __ull2double, double, unsigned long long)
double __int2double_rn(int x) { return x; }
double __uint2double_rn(unsigned x) { return x; }

// --- The same bits

int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
double __hiloint2double(int high, int low) {
  return __longlong_as_double(
      static_cast<long long>(static_cast<unsigned long long>(high) << 32 | static_cast<unsigned>(low)));
}

// --- Arithmetic

#define OF_1(suffix, mode, name, type, expression)   \
  type name##suffix(type x) {                        \
    return rounded<type>(                            \
        mode, [](type a) { return expression; }, x); \
  }
#define OF_2(suffix, mode, name, type, operation)                  \
  type name##suffix(type x, type y) {                              \
    return rounded<type>(                                          \
        mode, [](type a, type b) { return a operation b; }, x, y); \
  }
#define OF_3(suffix, mode, name, type)                                            \
  type name##suffix(type x, type y, type z) {                                     \
    return rounded<type>(                                                         \
        mode, [](type a, type b, type c) { return std::fma(a, b, c); }, x, y, z); \
  }
IN_EACH_ROUNDING(OF_2, __fadd, float, +)
IN_EACH_ROUNDING(OF_2, __fsub, float, -)
IN_EACH_ROUNDING(OF_2, __fmul, float, *)
IN_EACH_ROUNDING(OF_2, __fdiv, float, /)
IN_EACH_ROUNDING(OF_3, __fmaf, float)
IN_EACH_ROUNDING(OF_3, __fmaf_ieee, float)
IN_EACH_ROUNDING(OF_1, __frcp, float, 1 / a)
IN_EACH_ROUNDING(OF_1, __fsqrt, float, std::sqrt(a))
IN_EACH_ROUNDING(OF_2, __dadd, double, +)
IN_EACH_ROUNDING(OF_2, __dsub, double, -)
IN_EACH_ROUNDING(OF_2, __dmul, double, *)
IN_EACH_ROUNDING(OF_2, __ddiv, double, /)
IN_EACH_ROUNDING(OF_3, __fma, double)
IN_EACH_ROUNDING(OF_1, __drcp, double, 1 / a)
IN_EACH_ROUNDING(OF_1, __dsqrt, double, std::sqrt(a))

// Twice rounded may be one too far: the nearest is on the right side of both its middles. Those have 25 bits,
// so that their squares are exact, and fma says on which side of 1 their product with x is.
float __frsqrt_rn(float x) {
  const double estimate = 1 / std::sqrt(static_cast<double>(x));
  const auto nearest = static_cast<float>(estimate);
  if (!(x > 0) || std::isinf(x)) return nearest;
  const auto middle_with = [&](float other) { return (static_cast<double>(nearest) + other) / 2; };
  const float above = std::nextafter(nearest, std::numeric_limits<float>::infinity()),
              below = std::nextafter(nearest, 0.0f);
  if (const double middle = middle_with(above); std::fma(middle * middle, x, -1.0) < 0) return above;
  if (const double middle = middle_with(below); std::fma(middle * middle, x, -1.0) > 0) return below;
  return nearest;
}

float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }

extern "C" {
float __cosf(float x) noexcept { return std::cos(x); }
float __exp10f(float x) noexcept { return ::exp10f(x); }
float __expf(float x) noexcept { return std::exp(x); }
float __log10f(float x) noexcept { return std::log10(x); }
float __log2f(float x) noexcept { return std::log2(x); }
float __logf(float x) noexcept { return std::log(x); }
float __powf(float x, float y) noexcept { return std::pow(x, y); }
float __sinf(float x) noexcept { return std::sin(x); }
float __tanf(float x) noexcept { return std::tan(x); }
float __tanhf(float x) noexcept { return std::tanh(x); }
}

// --- CUDA's own functions. Those of float are computed as double's, and rounded.

double rsqrt(double x) noexcept { return 1 / std::sqrt(x); }
float rsqrtf(float x) noexcept { return __frsqrt_rn(x); }
double rcbrt(double x) noexcept { return 1 / std::cbrt(x); }
float rcbrtf(float x) noexcept { return static_cast<float>(rcbrt(static_cast<double>(x))); }
double rhypot(double x, double y) noexcept { return 1 / std::hypot(x, y); }
float rhypotf(float x, float y) noexcept {
  return static_cast<float>(rhypot(static_cast<double>(x), static_cast<double>(y)));
}

namespace {

constexpr double pi = 3.14159265358979323846;

// x less the nearest even number: within [-1, 1], and exact
double within_a_period(double x) { return std::remainder(x, 2.0); }

}  // namespace

double sinpi(double x) noexcept {
  const double rest = within_a_period(x);
  if (std::fabs(rest) == 1 || rest == 0) return std::copysign(0.0, x);
  // near the zeros at -1 and 1 the distance to them is what counts
  if (std::fabs(rest) > 0.5) return std::copysign(std::sin(pi * (1 - std::fabs(rest))), rest);
  return std::sin(pi * rest);
}
double cospi(double x) noexcept {
  const double rest = std::fabs(within_a_period(x));
  if (rest == 0.5) return 0;
  return rest < 0.25   ? std::cos(pi * rest)
         : rest > 0.75 ? -std::cos(pi * (1 - rest))
                       : std::sin(pi * (0.5 - rest));
}
float sinpif(float x) noexcept { return static_cast<float>(sinpi(static_cast<double>(x))); }
float cospif(float x) noexcept { return static_cast<float>(cospi(static_cast<double>(x))); }
