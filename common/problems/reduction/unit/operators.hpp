// SPDX-License-Identifier: MIT
// The operators that a reduction can be made of. A kernel is a template over one of these types.
//
// Each operator offers
//   value           the type of an element, of a partial result and of the result
//   identity()      the value that changes nothing: combine(identity(), x) is x, bit for bit
//   combine(a, b)   both as one; associative and commutative: any order of the elements gives the same
//                   result, bit for bit, except for SumFloat, which rounds
//   name            what `--operator` calls it
//
// Floats, where an order of operations could show:
//   MaximumFloat, MinimumFloat   a NaN wins against every number, so that it is not lost, and of several NaNs
//                                always the same one; -0 is below +0
//   SumFloat                     a NaN, or infinities of both signs, give NaN
//   Farthest                     a point with a NaN among its coordinates is infinitely far
#pragma once

#ifdef __CUDACC__
#define REDUCTION_HOST_DEVICE __host__ __device__
#else
#define REDUCTION_HOST_DEVICE
#endif

// The sum modulo 2^32.
struct Sum {
  using value = unsigned int;
  static constexpr const char* name = "sum";
  REDUCTION_HOST_DEVICE static constexpr value identity() { return 0; }
  REDUCTION_HOST_DEVICE static constexpr value combine(value a, value b) { return a + b; }
};

struct Maximum {
  using value = unsigned int;
  static constexpr const char* name = "maximum";
  REDUCTION_HOST_DEVICE static constexpr value identity() { return 0; }
  REDUCTION_HOST_DEVICE static constexpr value combine(value a, value b) { return a > b ? a : b; }
};

struct Minimum {
  using value = unsigned int;
  static constexpr const char* name = "minimum";
  REDUCTION_HOST_DEVICE static constexpr value identity() { return 0xffffffffu; }
  REDUCTION_HOST_DEVICE static constexpr value combine(value a, value b) { return a < b ? a : b; }
};

// The product modulo 2^32.
struct Product {
  using value = unsigned int;
  static constexpr const char* name = "product";
  REDUCTION_HOST_DEVICE static constexpr value identity() { return 1; }
  REDUCTION_HOST_DEVICE static constexpr value combine(value a, value b) { return a * b; }
};

struct SumFloat {
  using value = float;
  static constexpr const char* name = "sum_float";
  REDUCTION_HOST_DEVICE static constexpr value identity() { return 0; }
  REDUCTION_HOST_DEVICE static constexpr value combine(value a, value b) { return a + b; }
};

// A number for each float, in their order: those of the negative NaNs come first, then -infinity, the
// negative numbers, -0, +0, the positive numbers, +infinity, and the positive NaNs.
REDUCTION_HOST_DEVICE inline unsigned int float_rank(float number) {
#ifdef __CUDA_ARCH__
  const unsigned int bits = __float_as_uint(number);
#else
  unsigned int bits = 0;
  __builtin_memcpy(&bits, &number, sizeof bits);
#endif
  constexpr unsigned int sign = 0x80000000u;
  return bits & sign ? ~bits : bits | sign;
}

struct MaximumFloat {
  using value = float;
  static constexpr const char* name = "maximum_float";
  REDUCTION_HOST_DEVICE static constexpr value identity() { return -__builtin_huge_valf(); }
  REDUCTION_HOST_DEVICE static value combine(value a, value b) {
    // Counted from -infinity on and modulo 2^32, all NaNs come behind +infinity.
    constexpr unsigned int lowest = 0x007fffffu;
    return float_rank(a) - lowest > float_rank(b) - lowest ? a : b;
  }
};

struct MinimumFloat {
  using value = float;
  static constexpr const char* name = "minimum_float";
  REDUCTION_HOST_DEVICE static constexpr value identity() { return __builtin_huge_valf(); }
  REDUCTION_HOST_DEVICE static value combine(value a, value b) {
    // Counted from the first NaN behind +infinity on and modulo 2^32, all NaNs come before -infinity.
    constexpr unsigned int lowest = 0xff800001u;
    return float_rank(a) - lowest < float_rank(b) - lowest ? a : b;
  }
};

// A point in space, and the number that tells it from others. Aligned, so that a thread loads or stores it at
// once.
struct alignas(16) Point {
  float x, y, z;
  unsigned int index;
};

// The point that is farthest from the origin; of several that are equally far the one with the lowest index.
// No two points of an input have the same index.
struct Farthest {
  using value = Point;
  static constexpr const char* name = "farthest";
  REDUCTION_HOST_DEVICE static constexpr value identity() { return {0, 0, 0, 0xffffffffu}; }
  REDUCTION_HOST_DEVICE static constexpr value combine(value a, value b) {
    const double of_a = distance(a), of_b = distance(b);
    if (of_a != of_b) return of_a > of_b ? a : b;
    return a.index < b.index ? a : b;
  }

  // The distance from the origin, squared. The square of a float is exact as a double, so it makes no
  // difference whether a compiler multiplies and adds in one step.
  REDUCTION_HOST_DEVICE static constexpr double distance(value point) {
    const double x = point.x, y = point.y, z = point.z;
    const double squared = x * x + y * y + z * z;
    return squared == squared ? squared : __builtin_huge_val();
  }
};
