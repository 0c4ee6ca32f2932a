// SPDX-License-Identifier: MIT
// The mathematical functions that nvcc offers without a header, for float and double, also as those of std,
// with the limits of numbers. Outside of std, C++ has overloads for float only where <math.h> is included;
// here they are. Results are the C library's; a GPU's may differ in the last bits.
#pragma once

#include <climits>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <type_traits>

#define SIMULATOR_FLOAT_ONLY(T) template <class T, class = std::enable_if_t<std::is_same_v<T, float>>>

// The C library's, and an overload that keeps float where double would be taken: a template, so that it is
// no second declaration of the one that <cmath> has.
#define SIMULATOR_MATH_1(name)              \
  extern "C" double name(double) noexcept;  \
  extern "C" float name##f(float) noexcept; \
  SIMULATOR_FLOAT_ONLY(T) inline T name(T x) { return name##f(x); }
#define SIMULATOR_MATH_2(name)                     \
  extern "C" double name(double, double) noexcept; \
  extern "C" float name##f(float, float) noexcept; \
  SIMULATOR_FLOAT_ONLY(T) inline T name(T x, T y) { return name##f(x, y); }
SIMULATOR_MATH_1(acos)
SIMULATOR_MATH_1(acosh)
SIMULATOR_MATH_1(asin)
SIMULATOR_MATH_1(asinh)
SIMULATOR_MATH_1(atan)
SIMULATOR_MATH_1(atanh)
SIMULATOR_MATH_1(cbrt)
SIMULATOR_MATH_1(ceil)
SIMULATOR_MATH_1(cos)
SIMULATOR_MATH_1(cosh)
SIMULATOR_MATH_1(erf)
SIMULATOR_MATH_1(erfc)
SIMULATOR_MATH_1(exp)
SIMULATOR_MATH_1(exp2)
SIMULATOR_MATH_1(exp10)
SIMULATOR_MATH_1(expm1)
SIMULATOR_MATH_1(fabs)
SIMULATOR_MATH_1(floor)
SIMULATOR_MATH_1(lgamma)
SIMULATOR_MATH_1(log)
SIMULATOR_MATH_1(log10)
SIMULATOR_MATH_1(log1p)
SIMULATOR_MATH_1(log2)
SIMULATOR_MATH_1(logb)
SIMULATOR_MATH_1(nearbyint)
SIMULATOR_MATH_1(rint)
SIMULATOR_MATH_1(round)
SIMULATOR_MATH_1(sin)
SIMULATOR_MATH_1(sinh)
SIMULATOR_MATH_1(sqrt)
SIMULATOR_MATH_1(tan)
SIMULATOR_MATH_1(tanh)
SIMULATOR_MATH_1(tgamma)
SIMULATOR_MATH_1(trunc)
SIMULATOR_MATH_2(atan2)
SIMULATOR_MATH_2(copysign)
SIMULATOR_MATH_2(fdim)
SIMULATOR_MATH_2(fmax)
SIMULATOR_MATH_2(fmin)
SIMULATOR_MATH_2(fmod)
SIMULATOR_MATH_2(hypot)
SIMULATOR_MATH_2(nextafter)
SIMULATOR_MATH_2(pow)
SIMULATOR_MATH_2(remainder)
#undef SIMULATOR_MATH_1
#undef SIMULATOR_MATH_2

extern "C" {
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
double ldexp(double, int) noexcept;
float ldexpf(float, int) noexcept;
double scalbn(double, int) noexcept;
float scalbnf(float, int) noexcept;
double frexp(double, int*) noexcept;
float frexpf(float, int*) noexcept;
double modf(double, double*) noexcept;
float modff(float, float*) noexcept;
int ilogb(double) noexcept;
int ilogbf(float) noexcept;
long lrint(double) noexcept;
long lrintf(float) noexcept;
long lround(double) noexcept;
long lroundf(float) noexcept;
long long llrint(double) noexcept;
long long llrintf(float) noexcept;
long long llround(double) noexcept;
long long llroundf(float) noexcept;
void sincos(double, double*, double*) noexcept;
void sincosf(float, float*, float*) noexcept;
}
SIMULATOR_FLOAT_ONLY(T) inline T fma(T x, T y, T z) { return fmaf(x, y, z); }
SIMULATOR_FLOAT_ONLY(T) inline T ldexp(T x, int exponent) { return ldexpf(x, exponent); }
SIMULATOR_FLOAT_ONLY(T) inline T scalbn(T x, int exponent) { return scalbnf(x, exponent); }
SIMULATOR_FLOAT_ONLY(T) inline T scalbln(T x, long exponent) { return scalblnf(x, exponent); }
SIMULATOR_FLOAT_ONLY(T) inline T frexp(T x, int* exponent) { return frexpf(x, exponent); }
SIMULATOR_FLOAT_ONLY(T) inline T modf(T x, T* whole) { return modff(x, whole); }
SIMULATOR_FLOAT_ONLY(T) inline T remquo(T x, T y, int* quotient) { return remquof(x, y, quotient); }
SIMULATOR_FLOAT_ONLY(T) inline void sincos(T x, T* sine, T* cosine) { sincosf(x, sine, cosine); }
SIMULATOR_FLOAT_ONLY(T) inline T j0(T x) { return j0f(x); }
SIMULATOR_FLOAT_ONLY(T) inline T j1(T x) { return j1f(x); }
SIMULATOR_FLOAT_ONLY(T) inline T jn(int order, T x) { return jnf(order, x); }
SIMULATOR_FLOAT_ONLY(T) inline T y0(T x) { return y0f(x); }
SIMULATOR_FLOAT_ONLY(T) inline T y1(T x) { return y1f(x); }
SIMULATOR_FLOAT_ONLY(T) inline T yn(int order, T x) { return ynf(order, x); }

#undef SIMULATOR_FLOAT_ONLY

// CUDA's own: 1/sqrt(x), 1/cbrt(x), 1/hypot(x, y), sin and cos of pi*x. Declared as newer C libraries do,
// which have some of them (C23): these are taken everywhere, so that results are the same.
extern "C" {
[[gnu::const]] float rsqrtf(float x) noexcept;
[[gnu::const]] double rsqrt(double x) noexcept;
[[gnu::const]] float rcbrtf(float x) noexcept;
[[gnu::const]] double rcbrt(double x) noexcept;
[[gnu::const]] float rhypotf(float x, float y) noexcept;
[[gnu::const]] double rhypot(double x, double y) noexcept;
[[gnu::const]] float sinpif(float x) noexcept;
[[gnu::const]] double sinpi(double x) noexcept;
[[gnu::const]] float cospif(float x) noexcept;
[[gnu::const]] double cospi(double x) noexcept;
}
inline float rsqrt(float x) { return rsqrtf(x); }
inline float rcbrt(float x) { return rcbrtf(x); }
inline float rhypot(float x, float y) { return rhypotf(x, y); }
inline float sinpi(float x) { return sinpif(x); }
inline float cospi(float x) { return cospif(x); }

inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}
inline void sincospi(float x, float* sine, float* cosine) { sincospif(x, sine, cosine); }

// Inverse error functions, erfc(x) * exp(x * x), the normal distribution and its inverse, modified Bessel
// functions.
#define SIMULATOR_MATH_1(name)                               \
  extern "C" [[gnu::const]] double name(double x) noexcept;  \
  extern "C" [[gnu::const]] float name##f(float x) noexcept; \
  inline float name(float x) { return name##f(x); }
SIMULATOR_MATH_1(erfinv)
SIMULATOR_MATH_1(erfcinv)
SIMULATOR_MATH_1(erfcx)
SIMULATOR_MATH_1(normcdf)
SIMULATOR_MATH_1(normcdfinv)
SIMULATOR_MATH_1(cyl_bessel_i0)
SIMULATOR_MATH_1(cyl_bessel_i1)
#undef SIMULATOR_MATH_1

// Lengths of vectors, and their reciprocals.
extern "C" {
[[gnu::const]] double norm3d(double a, double b, double c) noexcept;
[[gnu::const]] float norm3df(float a, float b, float c) noexcept;
[[gnu::const]] double norm4d(double a, double b, double c, double d) noexcept;
[[gnu::const]] float norm4df(float a, float b, float c, float d) noexcept;
[[gnu::const]] double rnorm3d(double a, double b, double c) noexcept;
[[gnu::const]] float rnorm3df(float a, float b, float c) noexcept;
[[gnu::const]] double rnorm4d(double a, double b, double c, double d) noexcept;
[[gnu::const]] float rnorm4df(float a, float b, float c, float d) noexcept;
}

namespace simulator {

// A sum of squares, which has room whatever the numbers are.
struct Squares {
  long double of_numbers = 0;
  bool is_infinite = false;
};
Squares with_square(Squares sum, double x);
double root_of(Squares sum);
double reciprocal_root_of(Squares sum);

template <class T>
__attribute__((always_inline)) inline Squares squares(int count, const T* numbers) {
  Squares sum;
  for (int i = 0; i < count; ++i) sum = with_square(sum, numbers[i]);
  return sum;
}

}  // namespace simulator

inline double norm(int count, const double* x) { return simulator::root_of(simulator::squares(count, x)); }
inline float normf(int count, const float* x) {
  return static_cast<float>(simulator::root_of(simulator::squares(count, x)));
}
inline double rnorm(int count, const double* x) {
  return simulator::reciprocal_root_of(simulator::squares(count, x));
}
inline float rnormf(int count, const float* x) {
  return static_cast<float>(simulator::reciprocal_root_of(simulator::squares(count, x)));
}

// Those of any number: of integers, too.
using std::abs;
using std::fpclassify;
using std::isfinite;
using std::isgreater;
using std::isgreaterequal;
using std::isinf;
using std::isless;
using std::islessequal;
using std::islessgreater;
using std::isnan;
using std::isnormal;
using std::isunordered;
using std::signbit;
