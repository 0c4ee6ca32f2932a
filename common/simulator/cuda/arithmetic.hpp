// SPDX-License-Identifier: MIT
// The arithmetic of the CUDA Math API beyond what intrinsics.hpp has: integers, bytes and half words packed
// in a word, conversions, rounding, and the mathematical functions that nvcc offers without a header.
// Functions of the simulator's library, not inline ones: a kernel's unit is compiled as fast as without them,
// and what they do inside is no event of the kernel. Exact unless said otherwise; definitions: CUDA Math API.
#pragma once

#include "simulator/cuda/types.hpp"

// --- Integers

[[gnu::const]] unsigned __brev(unsigned x);
[[gnu::const]] unsigned long long __brevll(unsigned long long x);
// Each of the four low nibbles of `selector` picks one of the eight bytes of y:x (PTX prmt, default mode).
[[gnu::const]] unsigned __byte_perm(unsigned x, unsigned y, unsigned selector);
[[gnu::const]] unsigned __fns(unsigned mask, unsigned base, int offset);
[[gnu::const]] int __mul24(int a, int b);
[[gnu::const]] unsigned __umul24(unsigned a, unsigned b);
[[gnu::const]] int __mulhi(int a, int b);
[[gnu::const]] unsigned __umulhi(unsigned a, unsigned b);
[[gnu::const]] long long __mul64hi(long long a, long long b);
[[gnu::const]] unsigned long long __umul64hi(unsigned long long a, unsigned long long b);
[[gnu::const]] int __hadd(int a, int b);
[[gnu::const]] int __rhadd(int a, int b);
[[gnu::const]] unsigned __uhadd(unsigned a, unsigned b);
[[gnu::const]] unsigned __urhadd(unsigned a, unsigned b);
[[gnu::const]] unsigned __sad(int a, int b, unsigned c);
[[gnu::const]] unsigned __usad(unsigned a, unsigned b, unsigned c);
[[gnu::const]] unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift);
[[gnu::const]] unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift);
[[gnu::const]] unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift);
[[gnu::const]] unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift);

namespace simulator {
// The bits of `lanes` that are in `mask`, moved together: those of the lowest lanes first.
[[gnu::const]] unsigned ranks_of_lanes(unsigned lanes, unsigned mask);
}  // namespace simulator

constexpr unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
constexpr unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
constexpr long long llmin(long long a, long long b) { return a < b ? a : b; }
constexpr long long llmax(long long a, long long b) { return a < b ? b : a; }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

// Sums of products: four bytes by four bytes, or two half words by the low or high two bytes.
[[gnu::const]] int __dp4a(int a, int b, int sum);
[[gnu::const]] unsigned __dp4a(unsigned a, unsigned b, unsigned sum);
[[gnu::const]] int __dp4a(char4 a, char4 b, int sum);
[[gnu::const]] unsigned __dp4a(uchar4 a, uchar4 b, unsigned sum);
[[gnu::const]] int __dp2a_lo(int a, int b, int sum);
[[gnu::const]] unsigned __dp2a_lo(unsigned a, unsigned b, unsigned sum);
[[gnu::const]] int __dp2a_lo(short2 a, char4 b, int sum);
[[gnu::const]] unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned sum);
[[gnu::const]] int __dp2a_hi(int a, int b, int sum);
[[gnu::const]] unsigned __dp2a_hi(unsigned a, unsigned b, unsigned sum);
[[gnu::const]] int __dp2a_hi(short2 a, char4 b, int sum);
[[gnu::const]] unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned sum);

// --- Two half words or four bytes in a word

#define SIMULATOR_PACKED_1(name)               \
  [[gnu::const]] unsigned name##2(unsigned a); \
  [[gnu::const]] unsigned name##4(unsigned a);
#define SIMULATOR_PACKED_2(name)                           \
  [[gnu::const]] unsigned name##2(unsigned a, unsigned b); \
  [[gnu::const]] unsigned name##4(unsigned a, unsigned b);

SIMULATOR_PACKED_1(__vabs)
SIMULATOR_PACKED_1(__vabsss)
SIMULATOR_PACKED_1(__vneg)
SIMULATOR_PACKED_1(__vnegss)
SIMULATOR_PACKED_2(__vabsdiffs)
SIMULATOR_PACKED_2(__vabsdiffu)
SIMULATOR_PACKED_2(__vadd)
SIMULATOR_PACKED_2(__vaddss)
SIMULATOR_PACKED_2(__vaddus)
SIMULATOR_PACKED_2(__vsub)
SIMULATOR_PACKED_2(__vsubss)
SIMULATOR_PACKED_2(__vsubus)
SIMULATOR_PACKED_2(__vavgs)
SIMULATOR_PACKED_2(__vavgu)
SIMULATOR_PACKED_2(__vhaddu)
SIMULATOR_PACKED_2(__vmaxs)
SIMULATOR_PACKED_2(__vmaxu)
SIMULATOR_PACKED_2(__vmins)
SIMULATOR_PACKED_2(__vminu)
SIMULATOR_PACKED_2(__vsads)
SIMULATOR_PACKED_2(__vsadu)
// all ones where it holds
SIMULATOR_PACKED_2(__vcmpeq)
SIMULATOR_PACKED_2(__vcmpne)
SIMULATOR_PACKED_2(__vcmpges)
SIMULATOR_PACKED_2(__vcmpgeu)
SIMULATOR_PACKED_2(__vcmpgts)
SIMULATOR_PACKED_2(__vcmpgtu)
SIMULATOR_PACKED_2(__vcmples)
SIMULATOR_PACKED_2(__vcmpleu)
SIMULATOR_PACKED_2(__vcmplts)
SIMULATOR_PACKED_2(__vcmpltu)
// 1 where it holds
SIMULATOR_PACKED_2(__vseteq)
SIMULATOR_PACKED_2(__vsetne)
SIMULATOR_PACKED_2(__vsetges)
SIMULATOR_PACKED_2(__vsetgeu)
SIMULATOR_PACKED_2(__vsetgts)
SIMULATOR_PACKED_2(__vsetgtu)
SIMULATOR_PACKED_2(__vsetles)
SIMULATOR_PACKED_2(__vsetleu)
SIMULATOR_PACKED_2(__vsetlts)
SIMULATOR_PACKED_2(__vsetltu)
#undef SIMULATOR_PACKED_1
#undef SIMULATOR_PACKED_2

// Extremes of three, of a sum and a third, and not below 0 (relu).
#define SIMULATOR_OF_THREE(name)                                                 \
  [[gnu::const]] int name##_s32(int a, int b, int c);                            \
  [[gnu::const]] int name##_s32_relu(int a, int b, int c);                       \
  [[gnu::const]] unsigned name##_u32(unsigned a, unsigned b, unsigned c);        \
  [[gnu::const]] unsigned name##_s16x2(unsigned a, unsigned b, unsigned c);      \
  [[gnu::const]] unsigned name##_s16x2_relu(unsigned a, unsigned b, unsigned c); \
  [[gnu::const]] unsigned name##_u16x2(unsigned a, unsigned b, unsigned c);
SIMULATOR_OF_THREE(__vimax3)
SIMULATOR_OF_THREE(__vimin3)
SIMULATOR_OF_THREE(__viaddmax)
SIMULATOR_OF_THREE(__viaddmin)
#undef SIMULATOR_OF_THREE

[[gnu::const]] int __vimax_s32_relu(int a, int b);
[[gnu::const]] int __vimin_s32_relu(int a, int b);
[[gnu::const]] unsigned __vimax_s16x2_relu(unsigned a, unsigned b);
[[gnu::const]] unsigned __vimin_s16x2_relu(unsigned a, unsigned b);

// The extreme, and whether it is the first argument.
#define SIMULATOR_EXTREME_AND_WHICH(extreme, comparison, packed)                                            \
  inline int __vib##extreme##_s32(int a, int b, bool* is_first) {                                           \
    *is_first = a comparison b;                                                                             \
    return *is_first ? a : b;                                                                               \
  }                                                                                                         \
  inline unsigned __vib##extreme##_u32(unsigned a, unsigned b, bool* is_first) {                            \
    *is_first = a comparison b;                                                                             \
    return *is_first ? a : b;                                                                               \
  }                                                                                                         \
  inline unsigned __vib##extreme##_s16x2(unsigned a, unsigned b, bool* is_first_high, bool* is_first_low) { \
    const unsigned which = __vset##packed##s2(a, b);                                                        \
    *is_first_high = which >> 16;                                                                           \
    *is_first_low = which & 1;                                                                              \
    return __v##extreme##s2(a, b);                                                                          \
  }                                                                                                         \
  inline unsigned __vib##extreme##_u16x2(unsigned a, unsigned b, bool* is_first_high, bool* is_first_low) { \
    const unsigned which = __vset##packed##u2(a, b);                                                        \
    *is_first_high = which >> 16;                                                                           \
    *is_first_low = which & 1;                                                                              \
    return __v##extreme##u2(a, b);                                                                          \
  }
SIMULATOR_EXTREME_AND_WHICH(max, >=, ge)
SIMULATOR_EXTREME_AND_WHICH(min, <=, le)
#undef SIMULATOR_EXTREME_AND_WHICH

// --- The same bits as another type

[[gnu::const]] int __float_as_int(float x);
[[gnu::const]] unsigned __float_as_uint(float x);
[[gnu::const]] float __int_as_float(int x);
[[gnu::const]] float __uint_as_float(unsigned x);
[[gnu::const]] long long __double_as_longlong(double x);
[[gnu::const]] double __longlong_as_double(long long x);
[[gnu::const]] int __double2hiint(double x);
[[gnu::const]] int __double2loint(double x);
[[gnu::const]] double __hiloint2double(int high, int low);

// --- Conversions and arithmetic by a rounding: to the nearest even, to zero, up, down

#define SIMULATOR_ROUNDED_1(result, name, type) \
  [[gnu::const]] result name##_rn(type);        \
  [[gnu::const]] result name##_rz(type);        \
  [[gnu::const]] result name##_ru(type);        \
  [[gnu::const]] result name##_rd(type);
#define SIMULATOR_ROUNDED_2(type, name)      \
  [[gnu::const]] type name##_rn(type, type); \
  [[gnu::const]] type name##_rz(type, type); \
  [[gnu::const]] type name##_ru(type, type); \
  [[gnu::const]] type name##_rd(type, type);
#define SIMULATOR_ROUNDED_3(type, name)            \
  [[gnu::const]] type name##_rn(type, type, type); \
  [[gnu::const]] type name##_rz(type, type, type); \
  [[gnu::const]] type name##_ru(type, type, type); \
  [[gnu::const]] type name##_rd(type, type, type);

// Out of range is the nearest that there is; NaN is 0, and the lowest number or its bits where 64 bits take
// part.
SIMULATOR_ROUNDED_1(int, __float2int, float)
SIMULATOR_ROUNDED_1(unsigned, __float2uint, float)
SIMULATOR_ROUNDED_1(long long, __float2ll, float)
SIMULATOR_ROUNDED_1(unsigned long long, __float2ull, float)
SIMULATOR_ROUNDED_1(int, __double2int, double)
SIMULATOR_ROUNDED_1(unsigned, __double2uint, double)
SIMULATOR_ROUNDED_1(long long, __double2ll, double)
SIMULATOR_ROUNDED_1(unsigned long long, __double2ull, double)
SIMULATOR_ROUNDED_1(float, __int2float, int)
SIMULATOR_ROUNDED_1(float, __uint2float, unsigned)
SIMULATOR_ROUNDED_1(float, __ll2float, long long)
SIMULATOR_ROUNDED_1(float, __ull2float, unsigned long long)
SIMULATOR_ROUNDED_1(float, __double2float, double)
SIMULATOR_ROUNDED_1(double, __ll2double, long long)
SIMULATOR_ROUNDED_1(double, __ull2double, unsigned long long)
[[gnu::const]] double __int2double_rn(int x);
[[gnu::const]] double __uint2double_rn(unsigned x);

SIMULATOR_ROUNDED_2(float, __fadd)
SIMULATOR_ROUNDED_2(float, __fsub)
SIMULATOR_ROUNDED_2(float, __fmul)
SIMULATOR_ROUNDED_2(float, __fdiv)
SIMULATOR_ROUNDED_3(float, __fmaf)
SIMULATOR_ROUNDED_3(float, __fmaf_ieee)
SIMULATOR_ROUNDED_1(float, __frcp, float)
SIMULATOR_ROUNDED_1(float, __fsqrt, float)
[[gnu::const]] float __frsqrt_rn(float x);
SIMULATOR_ROUNDED_2(double, __dadd)
SIMULATOR_ROUNDED_2(double, __dsub)
SIMULATOR_ROUNDED_2(double, __dmul)
SIMULATOR_ROUNDED_2(double, __ddiv)
SIMULATOR_ROUNDED_3(double, __fma)
SIMULATOR_ROUNDED_1(double, __drcp, double)
SIMULATOR_ROUNDED_1(double, __dsqrt, double)
#undef SIMULATOR_ROUNDED_1
#undef SIMULATOR_ROUNDED_2
#undef SIMULATOR_ROUNDED_3

// Within [0, 1]; NaN is 0.
[[gnu::const]] float __saturatef(float x);

// --- Fast functions: here as exact as a float can be, on a GPU approximate

// extern "C": the C library's headers declare functions of these names, too.
extern "C" {
[[gnu::const]] float __cosf(float x) noexcept;
[[gnu::const]] float __exp10f(float x) noexcept;
[[gnu::const]] float __expf(float x) noexcept;
[[gnu::const]] float __log10f(float x) noexcept;
[[gnu::const]] float __log2f(float x) noexcept;
[[gnu::const]] float __logf(float x) noexcept;
[[gnu::const]] float __powf(float x, float y) noexcept;
[[gnu::const]] float __sinf(float x) noexcept;
[[gnu::const]] float __tanf(float x) noexcept;
[[gnu::const]] float __tanhf(float x) noexcept;
inline void __sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
}
constexpr float __fdividef(float a, float b) { return a / b; }
constexpr float fdividef(float a, float b) { return a / b; }

#include "simulator/cuda/mathematics.hpp"
