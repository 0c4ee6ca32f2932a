// SPDX-License-Identifier: MIT
// Mathematical functions of CUDA that no C library has: by their definitions, in long double, and rounded to
// double. Those of float are computed as double's, and rounded.
#include <cmath>
#include <limits>

#include "simulator/cuda/arithmetic.hpp"

namespace {

constexpr long double root_of_pi = 1.772453850905516027298167483341145183L;
constexpr long double root_of_2 = 1.414213562373095048801688724209698079L;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// exp(x * x), with the part of the square that long double has no room for.
long double exp_of_square(long double x) {
  const long double square = x * x, rest = std::fma(x, x, -square);
  return std::exp(square) * (1 + rest);
}

// For x of at least 1/2: beyond what exp(x * x) leaves room for, by the asymptotic series.
long double scaled_complement(long double x) {
  if (x < 26) return exp_of_square(x) * std::erfc(x);
  const long double step = 1 / (2 * x * x);
  long double sum = 1, term = 1;
  for (int i = 1; i < 12; ++i) sum += term *= -(2 * i - 1) * step;
  return sum / (x * root_of_pi);
}

// y with erf(y) = x, for |x| of at most 1/2, by Newton's method.
long double small_inverse(long double x) {
  long double y = x * root_of_pi / 2;
  for (int i = 0; i < 6; ++i) y -= (std::erf(y) - x) * exp_of_square(y) * root_of_pi / 2;
  return y;
}

// y with erfc(y) = x, for positive x of at most 1/2, by Newton's method for the logarithms of both.
long double inverse_of_complement(long double x) {
  const long double wanted = std::log(x);
  long double y = std::sqrt(-wanted);
  for (int i = 0; i < 12; ++i) {
    const long double slope = -2 / (root_of_pi * scaled_complement(y));
    y -= (std::log(std::erfc(y)) - wanted) / slope;
  }
  return y;
}

long double erfc_inverse(long double x) {
  if (!(x >= 0 && x <= 2)) return nan_value;
  if (x == 0) return std::numeric_limits<long double>::infinity();
  if (x == 2) return -std::numeric_limits<long double>::infinity();
  if (x < 0.5) return inverse_of_complement(x);
  return x > 1.5 ? -inverse_of_complement(2 - x) : small_inverse(1 - x);
}

// The sum of squares has room in long double, whatever the numbers are.
template <class... Numbers>
double root_of_squares(Numbers... numbers) {
  if ((std::isinf(numbers) || ...)) return infinity;
  return static_cast<double>(std::sqrt(((static_cast<long double>(numbers) * numbers) + ...)));
}
template <class... Numbers>
double reciprocal_root(Numbers... numbers) {
  if ((std::isinf(numbers) || ...)) return 0;
  return static_cast<double>(1 / std::sqrt(((static_cast<long double>(numbers) * numbers) + ...)));
}

// Modified Bessel functions are infinite as double's long before the library's method comes to its end.
double bessel(double order, double x) {
  if (std::isnan(x)) return x;
  return x > 800 ? infinity
                 : static_cast<double>(std::cyl_bessel_i(static_cast<long double>(order), x + 0.0L));
}

}  // namespace

double erfinv(double x) noexcept {
  if (x == 0) return x;
  const double size = std::fabs(x);
  if (size <= 0.5) return static_cast<double>(small_inverse(x));
  return static_cast<double>(std::copysign(erfc_inverse(1 - static_cast<long double>(size)), x));
}
double erfcinv(double x) noexcept { return static_cast<double>(erfc_inverse(x)); }
double erfcx(double x) noexcept {
  if (std::isinf(x)) return x > 0 ? 0 : infinity;
  if (x >= 0.5) return static_cast<double>(scaled_complement(x));
  return static_cast<double>(exp_of_square(x) * std::erfc(static_cast<long double>(x)));
}
double normcdf(double x) noexcept { return static_cast<double>(std::erfc(-x / root_of_2) / 2); }
double normcdfinv(double x) noexcept {
  return static_cast<double>(-root_of_2 * erfc_inverse(2 * static_cast<long double>(x)));
}
double cyl_bessel_i0(double x) noexcept { return bessel(0, std::fabs(x)); }
double cyl_bessel_i1(double x) noexcept { return std::copysign(bessel(1, std::fabs(x)), x); }

double norm3d(double a, double b, double c) noexcept { return root_of_squares(a, b, c); }
double norm4d(double a, double b, double c, double d) noexcept { return root_of_squares(a, b, c, d); }
double rnorm3d(double a, double b, double c) noexcept { return reciprocal_root(a, b, c); }
double rnorm4d(double a, double b, double c, double d) noexcept { return reciprocal_root(a, b, c, d); }

float erfinvf(float x) noexcept { return static_cast<float>(erfinv(double{x})); }
float erfcinvf(float x) noexcept { return static_cast<float>(erfcinv(double{x})); }
float erfcxf(float x) noexcept { return static_cast<float>(erfcx(double{x})); }
float normcdff(float x) noexcept { return static_cast<float>(normcdf(double{x})); }
float normcdfinvf(float x) noexcept { return static_cast<float>(normcdfinv(double{x})); }
float cyl_bessel_i0f(float x) noexcept { return static_cast<float>(cyl_bessel_i0(double{x})); }
float cyl_bessel_i1f(float x) noexcept { return static_cast<float>(cyl_bessel_i1(double{x})); }
float norm3df(float a, float b, float c) noexcept { return static_cast<float>(norm3d(a, b, c)); }
float norm4df(float a, float b, float c, float d) noexcept { return static_cast<float>(norm4d(a, b, c, d)); }
float rnorm3df(float a, float b, float c) noexcept { return static_cast<float>(rnorm3d(a, b, c)); }
float rnorm4df(float a, float b, float c, float d) noexcept {
  return static_cast<float>(rnorm4d(a, b, c, d));
}

namespace simulator {

Squares with_square(Squares sum, double x) {
  if (std::isinf(x)) sum.is_infinite = true;
  sum.of_numbers += static_cast<long double>(x) * x;
  return sum;
}
double root_of(Squares sum) {
  return sum.is_infinite ? infinity : static_cast<double>(std::sqrt(sum.of_numbers));
}
double reciprocal_root_of(Squares sum) {
  return sum.is_infinite ? 0 : static_cast<double>(1 / std::sqrt(sum.of_numbers));
}

}  // namespace simulator
