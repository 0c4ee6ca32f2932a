// SPDX-License-Identifier: MIT
// The arithmetic of the CUDA Math API: each function's value is that of its definition.
#include <doctest/doctest.h>

#include "arithmetic_table.hpp"

TEST_CASE("every exact function of the CUDA Math API has the value of its definition") {
  for (const Function& function : functions()) {
    for (const Arguments& arguments : arguments_of(function, 100)) {
      const std::uint64_t value = function.simulated(arguments), expected = function.defined(arguments);
      if (are_same(function.result, value, expected)) continue;
      FAIL_CHECK(difference_of(function, arguments, value, expected));
      break;
    }
  }
}

TEST_CASE("examples in numbers") {
  CHECK(__vcmpeq4(0x01020304, 0x01ff03ff) == 0xff00ff00);
  CHECK(__vsetltu4(0x01020304, 0x02020202) == 0x01000000);
  CHECK(__vaddss4(0x7f80ff01, 0x01ff0101) == 0x7f800002);
  CHECK(__vaddus2(0xffff0001, 0x00010001) == 0xffff0002);
  CHECK(__vsads4(0x01ff0000, 0x00010000) == 3);
  CHECK(__vavgs4(0xfd03, 0) == 0xfe02);  // -1.5 and 1.5 become -2 and 2
  CHECK(__vavgu4(0xff00, 0xfe00) == 0xff00);
  CHECK(__dp4a(0x01020304, 0x01010101, 5) == 15);
  CHECK(__dp4a(0xff000000u, 0x02000000u, 0u) == 510);
  CHECK(__dp4a(static_cast<int>(0xff000000), 0x02000000, 0) == -2);
  CHECK(__dp2a_lo(0x00020003, 0x07050201, 0) == 3 * 1 + 2 * 2);
  CHECK(__dp2a_hi(0x00020003, 0x07050201, 0) == 3 * 5 + 2 * 7);
  CHECK(__funnelshift_l(0x80000000, 1, 1) == 3);
  CHECK(__funnelshift_r(0x80000000, 1, 31) == 3);
  CHECK(__funnelshift_lc(0x12345678, 1, 99) == 0x12345678);
  CHECK(__funnelshift_rc(1, 0x12345678, 99) == 0x12345678);
  CHECK(__mul24(0x01ffffff, 3) == -3);
  CHECK(__umulhi(0x80000000, 6) == 3);
  CHECK(__mul64hi(-1, 1) == -1);
  CHECK(__hadd(-3, 0) == -2);
  CHECK(__rhadd(-3, 0) == -1);
  CHECK(__sad(INT_MIN, INT_MAX, 1) == 0);
  CHECK(__brevll(1) == 0x8000000000000000);
  CHECK(__fns(0b10110, 0, 2) == 2);
  CHECK(__fns(0b10110, 3, -2) == 1);
  CHECK(__fns(0b10110, 3, 0) == 0xffffffff);
  CHECK(__float2int_rn(2.5f) == 2);
  CHECK(__float2int_ru(-2.5f) == -2);
  CHECK(__float2uint_rz(-1.0f) == 0);
  CHECK(__double2ll_rd(-0.5) == -1);
  CHECK(__int2float_rz(0x7fffffff) == 0x1.fffffep30f);
  CHECK(__fadd_ru(1.0f, 0x1p-60f) == 0x1.000002p0f);
  CHECK(__fadd_rz(1.0f, 0x1p-60f) == 1.0f);
  CHECK(__ddiv_rd(1.0, 3.0) < __ddiv_ru(1.0, 3.0));
}

TEST_CASE("roundings leave the thread's own rounding as it was") {
  volatile float one = 1, tiny = 0x1p-60f;
  CHECK(__fadd_ru(one, tiny) > 1.0f);
  CHECK(__float2int_rd(one) == 1);
  CHECK(one + tiny == 1.0f);
}

TEST_CASE("mathematical functions") {
  CHECK(rsqrtf(4.0f) == 0.5f);
  CHECK(rsqrt(4.0) == 0.5);
  CHECK(rcbrtf(8.0f) == 0.5f);
  CHECK(rhypotf(3.0f, 4.0f) == 0.2f);
  CHECK(sinpif(0.5f) == 1.0f);
  CHECK(sinpif(-1.5f) == 1.0f);
  CHECK(sinpif(1e6f) == 0.0f);
  CHECK(cospif(1.0f) == -1.0f);
  CHECK(cospif(0.5f) == 0.0f);
  CHECK(cospi(-1.0 / 3) == doctest::Approx(0.5));
  CHECK(fdividef(1.0f, 4.0f) == 0.25f);
  CHECK(__expf(0.0f) == 1.0f);
  CHECK(__exp10f(2.0f) == 100.0f);
  CHECK(__log2f(8.0f) == 3.0f);
  CHECK(__powf(2.0f, 10.0f) == 1024.0f);
  float sine, cosine;
  __sincosf(0.0f, &sine, &cosine);
  CHECK(sine == 0.0f);
  CHECK(cosine == 1.0f);
  // Kept as float, as nvcc does.
  CHECK(std::is_same_v<decltype(sqrt(1.0f)), float>);
  CHECK(std::is_same_v<decltype(fmax(1.0f, 2.0f)), float>);
  CHECK(std::is_same_v<decltype(sqrt(1.0)), double>);
  CHECK(std::is_same_v<decltype(abs(-0.5f)), float>);
  CHECK(abs(-0.5f) == 0.5f);
}

// The values have 17 digits or more, from a library of any precision.
TEST_CASE("functions that no C library has") {
  const auto near = [](double value) { return doctest::Approx(value).epsilon(1e-15); };
  CHECK(erfinv(0.5) == near(0.4769362762044698733814));
  CHECK(erfinv(0.99) == near(1.821386367718449455873));
  CHECK(erfinv(-1e-10) == near(-8.862269254527580459386e-11));
  CHECK(erfinv(1.0) == INFINITY);
  CHECK(std::isnan(erfinv(1.5)));
  CHECK(erfcinv(1e-300) == near(26.20946996051612388552));
  CHECK(erfcinv(1.75) == near(-0.8134198475976185416903));
  CHECK(erfcinv(2.0) == -INFINITY);
  CHECK(erfcx(10.0) == near(0.05614099274382258585752));
  CHECK(erfcx(-2.0) == near(108.9409043899779724124));
  CHECK(erfcx(26.5) == near(0.02127504668537110595521));
  CHECK(erfcx(1000.0) == near(0.0005641893014533876541997));
  CHECK(normcdf(-1.5) == near(0.06680720126885806600449));
  CHECK(normcdfinv(0.975) == near(1.959963984540053855604));
  CHECK(cyl_bessel_i0(2.0) == near(2.279585302336067267437));
  CHECK(cyl_bessel_i1(-2.0) == near(-1.590636854637329063382));
  CHECK(cyl_bessel_i0(700.0) == near(1.529593347671873736316e+302));
  CHECK(cyl_bessel_i0(1e300) == INFINITY);
  CHECK(norm3d(1e200, 2e200, 2e200) == near(3e200));
  CHECK(norm3d(NAN, INFINITY, 0.0) == INFINITY);
  CHECK(rnorm4d(1.0, 1.0, 1.0, 1.0) == 0.5);
  CHECK(norm4df(1.0f, 1.0f, 1.0f, 1.0f) == 2.0f);
  CHECK(rnorm3df(2.0f, 4.0f, 4.0f) == 1.0f / 6);
  const double numbers[] = {1, 2, 3, 4, 5, 3};
  CHECK(norm(6, numbers) == 8);
  CHECK(rnorm(6, numbers) == 0.125);
  CHECK(erfinvf(0.5f) == 0.47693628f);
  CHECK(normcdff(0.0f) == 0.5f);
  float sine, cosine;
  sincospif(0.5f, &sine, &cosine);
  CHECK(sine == 1.0f);
  CHECK(cosine == 0.0f);
  CHECK(std::is_same_v<decltype(erfinv(0.5f)), float>);
  CHECK(std::is_same_v<decltype(ldexp(0.5f, 1)), float>);
  CHECK(std::is_same_v<decltype(j0(0.5f)), float>);
}
