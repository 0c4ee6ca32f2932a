// SPDX-License-Identifier: MIT
// Every function of the CUDA Math API whose value is exact, with the value that it has by CUDA's
// documentation:
//
//   INTRINSIC(name, result, (parameters), call, value)
//
// To be included with INTRINSIC defined. `value` is written with the functions of arithmetic_reference.hpp.

// --- Integers
INTRINSIC(popc, int, (unsigned a), __popc(a), ref_count(a))
INTRINSIC(popcll, int, (unsigned long long a), __popcll(a), ref_count(a))
INTRINSIC(clz, int, (int a), __clz(a), ref_leading(static_cast<unsigned>(a), 32))
INTRINSIC(clzll, int, (long long a), __clzll(a), ref_leading(static_cast<unsigned long long>(a), 64))
INTRINSIC(ffs, int, (int a), __ffs(a), ref_first(static_cast<unsigned>(a), 32))
INTRINSIC(ffsll, int, (long long a), __ffsll(a), ref_first(static_cast<unsigned long long>(a), 64))
INTRINSIC(brev, unsigned, (unsigned a), __brev(a), static_cast<unsigned>(ref_reversed(a, 32)))
INTRINSIC(brevll, unsigned long long, (unsigned long long a), __brevll(a), ref_reversed(a, 64))
INTRINSIC(byte_perm, unsigned, (unsigned a, unsigned b, unsigned c), __byte_perm(a, b, c),
          ref_byte_perm(a, b, c))
INTRINSIC(fns, unsigned, (unsigned a, unsigned b, int c), __fns(a, b & 31, c % 40),
          ref_fns(a, static_cast<int>(b & 31), c % 40))
INTRINSIC(mul24, int, (int a, int b), __mul24(a, b), static_cast<int>(ref_signed_24(a) * ref_signed_24(b)))
INTRINSIC(umul24, unsigned, (unsigned a, unsigned b), __umul24(a, b),
          static_cast<unsigned>((a % 0x1000000ull) * (b % 0x1000000ull)))
INTRINSIC(mulhi, int, (int a, int b), __mulhi(a, b), static_cast<int>(static_cast<long long>(a) * b >> 32))
INTRINSIC(umulhi, unsigned, (unsigned a, unsigned b), __umulhi(a, b),
          static_cast<unsigned>(1ull * a * b >> 32))
INTRINSIC(mul64hi, long long, (long long a, long long b), __mul64hi(a, b), ref_high_product(a, b))
INTRINSIC(umul64hi, unsigned long long, (unsigned long long a, unsigned long long b), __umul64hi(a, b),
          ref_high_product(a, b))
INTRINSIC(hadd, int, (int a, int b), __hadd(a, b), static_cast<int>(ref_floored_half(0ll + a + b)))
INTRINSIC(rhadd, int, (int a, int b), __rhadd(a, b), static_cast<int>(ref_floored_half(1ll + a + b)))
INTRINSIC(uhadd, unsigned, (unsigned a, unsigned b), __uhadd(a, b), static_cast<unsigned>((0ull + a + b) / 2))
INTRINSIC(urhadd, unsigned, (unsigned a, unsigned b), __urhadd(a, b),
          static_cast<unsigned>((1ull + a + b) / 2))
INTRINSIC(sad, unsigned, (int a, int b, unsigned c), __sad(a, b, c),
          static_cast<unsigned>(ref_abs(0ll + a - b)) + c)
INTRINSIC(usad, unsigned, (unsigned a, unsigned b, unsigned c), __usad(a, b, c),
          static_cast<unsigned>(ref_abs(0ll + a - b)) + c)
INTRINSIC(funnelshift_l, unsigned, (unsigned a, unsigned b, unsigned c), __funnelshift_l(a, b, c),
          static_cast<unsigned>(ref_joined(a, b) >> (32 - c % 32)))
INTRINSIC(funnelshift_lc, unsigned, (unsigned a, unsigned b, unsigned c), __funnelshift_lc(a, b, c),
          static_cast<unsigned>(ref_joined(a, b) >> (32 - (c < 32 ? c : 32))))
INTRINSIC(funnelshift_r, unsigned, (unsigned a, unsigned b, unsigned c), __funnelshift_r(a, b, c),
          static_cast<unsigned>(ref_joined(a, b) >> c % 32))
INTRINSIC(funnelshift_rc, unsigned, (unsigned a, unsigned b, unsigned c), __funnelshift_rc(a, b, c),
          static_cast<unsigned>(ref_joined(a, b) >> (c < 32 ? c : 32)))
INTRINSIC(min_s32, int, (int a, int b), min(a, b), a < b ? a : b)
INTRINSIC(max_s32, int, (int a, int b), max(a, b), a < b ? b : a)
INTRINSIC(min_u32, unsigned, (unsigned a, unsigned b), min(a, b), a < b ? a : b)
INTRINSIC(max_u32, unsigned, (unsigned a, unsigned b), max(a, b), a < b ? b : a)
INTRINSIC(min_mixed, unsigned, (unsigned a, int b), min(a, b),
          a < static_cast<unsigned>(b) ? a : static_cast<unsigned>(b))
INTRINSIC(max_mixed, unsigned, (int a, unsigned b), max(a, b),
          static_cast<unsigned>(a) < b ? b : static_cast<unsigned>(a))
INTRINSIC(min_s64, long long, (long long a, long long b), min(a, b), a < b ? a : b)
INTRINSIC(max_u64, unsigned long long, (unsigned long long a, unsigned long long b), max(a, b), a < b ? b : a)
INTRINSIC(umin, unsigned, (unsigned a, unsigned b), umin(a, b), a < b ? a : b)
INTRINSIC(umax, unsigned, (unsigned a, unsigned b), umax(a, b), a < b ? b : a)
INTRINSIC(llmin, long long, (long long a, long long b), llmin(a, b), a < b ? a : b)
INTRINSIC(llmax, long long, (long long a, long long b), llmax(a, b), a < b ? b : a)
INTRINSIC(ullmin, unsigned long long, (unsigned long long a, unsigned long long b), ullmin(a, b),
          a < b ? a : b)
INTRINSIC(ullmax, unsigned long long, (unsigned long long a, unsigned long long b), ullmax(a, b),
          a < b ? b : a)
INTRINSIC(abs_s32, int, (int a), abs(a == INT_MIN ? 0 : a), a == INT_MIN ? 0 : a < 0 ? -a : a)
INTRINSIC(llabs, long long, (long long a), llabs(a == LLONG_MIN ? 0 : a), a == LLONG_MIN ? 0 : a < 0 ? -a : a)

// --- Sums of products
INTRINSIC(dp4a_s, int, (int a, int b, int c), __dp4a(a, b, c), ref_dot<signed char>(a, b, 0, 4, c))
INTRINSIC(dp4a_u, unsigned, (unsigned a, unsigned b, unsigned c), __dp4a(a, b, c),
          ref_dot<unsigned char>(a, b, 0, 4, c))
INTRINSIC(dp4a_char4, int, (int a, int b, int c), __dp4a(VECTOR(char4, a), VECTOR(char4, b), c),
          ref_dot<signed char>(a, b, 0, 4, c))
INTRINSIC(dp4a_uchar4, unsigned, (unsigned a, unsigned b, unsigned c),
          __dp4a(VECTOR(uchar4, a), VECTOR(uchar4, b), c), ref_dot<unsigned char>(a, b, 0, 4, c))
#define DP2A(half, first)                                                                            \
  INTRINSIC(dp2a_##half##_s, int, (int a, int b, int c), __dp2a_##half(a, b, c),                     \
            (ref_dot<short, signed char>(a, b, first, 2, c)))                                        \
  INTRINSIC(dp2a_##half##_u, unsigned, (unsigned a, unsigned b, unsigned c), __dp2a_##half(a, b, c), \
            (ref_dot<unsigned short, unsigned char>(a, b, first, 2, c)))                             \
  INTRINSIC(dp2a_##half##_short2, int, (int a, int b, int c),                                        \
            __dp2a_##half(VECTOR(short2, a), VECTOR(char4, b), c),                                   \
            (ref_dot<short, signed char>(a, b, first, 2, c)))                                        \
  INTRINSIC(dp2a_##half##_ushort2, unsigned, (unsigned a, unsigned b, unsigned c),                   \
            __dp2a_##half(VECTOR(ushort2, a), VECTOR(uchar4, b), c),                                 \
            (ref_dot<unsigned short, unsigned char>(a, b, first, 2, c)))
DP2A(lo, 0)
DP2A(hi, 2)
#undef DP2A

// --- Two half words or four bytes in a word; x, y, z: the parts
#define PARTS_1(name, kind, value)                                                                        \
  INTRINSIC(                                                                                              \
      name##2, unsigned, (unsigned a), __##name##2(a),                                                    \
      ref_parts<kind##16>(a, 0, 0, [](long long x, long long, long long) -> long long { return value; })) \
  INTRINSIC(                                                                                              \
      name##4, unsigned, (unsigned a), __##name##4(a),                                                    \
      ref_parts<kind##8>(a, 0, 0, [](long long x, long long, long long) -> long long { return value; }))
#define PARTS_2(name, kind, value)                                                                          \
  INTRINSIC(                                                                                                \
      name##2, unsigned, (unsigned a, unsigned b), __##name##2(a, b),                                       \
      ref_parts<kind##16>(a, b, 0, [](long long x, long long y, long long) -> long long { return value; })) \
  INTRINSIC(                                                                                                \
      name##4, unsigned, (unsigned a, unsigned b), __##name##4(a, b),                                       \
      ref_parts<kind##8>(a, b, 0, [](long long x, long long y, long long) -> long long { return value; }))
#define SATURATED_1(name, kind, value)                                                        \
  INTRINSIC(name##2, unsigned, (unsigned a), __##name##2(a),                                  \
            ref_parts<kind##16>(a, 0, 0, [](long long x, long long, long long) -> long long { \
              return ref_clamped<kind##16>(value);                                            \
            }))                                                                               \
  INTRINSIC(name##4, unsigned, (unsigned a), __##name##4(a),                                  \
            ref_parts<kind##8>(a, 0, 0, [](long long x, long long, long long) -> long long {  \
              return ref_clamped<kind##8>(value);                                             \
            }))
#define SATURATED_2(name, kind, value)                                                          \
  INTRINSIC(name##2, unsigned, (unsigned a, unsigned b), __##name##2(a, b),                     \
            ref_parts<kind##16>(a, b, 0, [](long long x, long long y, long long) -> long long { \
              return ref_clamped<kind##16>(value);                                              \
            }))                                                                                 \
  INTRINSIC(name##4, unsigned, (unsigned a, unsigned b), __##name##4(a, b),                     \
            ref_parts<kind##8>(a, b, 0, [](long long x, long long y, long long) -> long long {  \
              return ref_clamped<kind##8>(value);                                               \
            }))
PARTS_1(vabs, ref_s, ref_abs(x))
SATURATED_1(vabsss, ref_s, ref_abs(x))
PARTS_1(vneg, ref_s, -x)
SATURATED_1(vnegss, ref_s, -x)
PARTS_2(vabsdiffs, ref_s, ref_abs(x - y))
PARTS_2(vabsdiffu, ref_u, ref_abs(x - y))
PARTS_2(vadd, ref_u, x + y)
SATURATED_2(vaddss, ref_s, x + y)
SATURATED_2(vaddus, ref_u, x + y)
PARTS_2(vsub, ref_u, x - y)
SATURATED_2(vsubss, ref_s, x - y)
SATURATED_2(vsubus, ref_u, x - y)
PARTS_2(vavgs, ref_s, ref_half_away_from_zero(x + y))
PARTS_2(vavgu, ref_u, ref_half_away_from_zero(x + y))
PARTS_2(vhaddu, ref_u, (x + y) / 2)
PARTS_2(vmaxs, ref_s, x > y ? x : y)
PARTS_2(vmaxu, ref_u, x > y ? x : y)
PARTS_2(vmins, ref_s, x > y ? y : x)
PARTS_2(vminu, ref_u, x > y ? y : x)
INTRINSIC(vsads2, unsigned, (unsigned a, unsigned b), __vsads2(a, b), ref_distance<short>(a, b))
INTRINSIC(vsads4, unsigned, (unsigned a, unsigned b), __vsads4(a, b), ref_distance<signed char>(a, b))
INTRINSIC(vsadu2, unsigned, (unsigned a, unsigned b), __vsadu2(a, b), ref_distance<unsigned short>(a, b))
INTRINSIC(vsadu4, unsigned, (unsigned a, unsigned b), __vsadu4(a, b), ref_distance<unsigned char>(a, b))
#define COMPARISON(name, kind, condition)             \
  PARTS_2(vcmp##name, kind, (condition) ? 0xffff : 0) \
  PARTS_2(vset##name, kind, (condition) ? 1 : 0)
COMPARISON(eq, ref_u, x == y)
COMPARISON(ne, ref_u, x != y)
COMPARISON(ges, ref_s, x >= y)
COMPARISON(geu, ref_u, x >= y)
COMPARISON(gts, ref_s, x > y)
COMPARISON(gtu, ref_u, x > y)
COMPARISON(les, ref_s, x <= y)
COMPARISON(leu, ref_u, x <= y)
COMPARISON(lts, ref_s, x < y)
COMPARISON(ltu, ref_u, x < y)
#undef COMPARISON
#undef PARTS_1
#undef PARTS_2
#undef SATURATED_1
#undef SATURATED_2

// --- Extremes; `sum` is x + y, wrapped around
#define THREE(name, value)                                                                              \
  INTRINSIC(name##_s32, int, (int a, int b, int c), __##name##_s32(a, b, c),                            \
            (ref_three<int>(a, b, c, value)))                                                           \
  INTRINSIC(name##_u32, unsigned, (unsigned a, unsigned b, unsigned c), __##name##_u32(a, b, c),        \
            (ref_three<unsigned>(a, b, c, value)))                                                      \
  INTRINSIC(name##_s32_relu, int, (int a, int b, int c), __##name##_s32_relu(a, b, c),                  \
            ref_not_negative((ref_three<int>(a, b, c, value))))                                         \
  INTRINSIC(name##_s16x2, unsigned, (unsigned a, unsigned b, unsigned c), __##name##_s16x2(a, b, c),    \
            ref_parts<short>(a, b, c, [](long long x, long long y, long long z) -> long long {          \
              return ref_three<short>(x, y, z, value);                                                  \
            }))                                                                                         \
  INTRINSIC(name##_u16x2, unsigned, (unsigned a, unsigned b, unsigned c), __##name##_u16x2(a, b, c),    \
            ref_parts<unsigned short>(a, b, c, [](long long x, long long y, long long z) -> long long { \
              return ref_three<unsigned short>(x, y, z, value);                                         \
            }))                                                                                         \
  INTRINSIC(name##_s16x2_relu, unsigned, (unsigned a, unsigned b, unsigned c),                          \
            __##name##_s16x2_relu(a, b, c),                                                             \
            ref_parts<short>(a, b, c, [](long long x, long long y, long long z) -> long long {          \
              return ref_not_negative(ref_three<short>(x, y, z, value));                                \
            }))
THREE(vimax3, [](auto x, auto y, auto z) { return x > y ? (x > z ? x : z) : (y > z ? y : z); })
THREE(vimin3, [](auto x, auto y, auto z) { return x < y ? (x < z ? x : z) : (y < z ? y : z); })
THREE(viaddmax, [](auto x, auto y, auto z) { return ref_sum(x, y) > z ? ref_sum(x, y) : z; })
THREE(viaddmin, [](auto x, auto y, auto z) { return ref_sum(x, y) < z ? ref_sum(x, y) : z; })
#undef THREE
INTRINSIC(vimax_s32_relu, int, (int a, int b), __vimax_s32_relu(a, b), ref_not_negative(a > b ? a : b))
INTRINSIC(vimin_s32_relu, int, (int a, int b), __vimin_s32_relu(a, b), ref_not_negative(a > b ? b : a))
INTRINSIC(vimax_s16x2_relu, unsigned, (unsigned a, unsigned b), __vimax_s16x2_relu(a, b),
          ref_parts<short>(a, b, 0, [](long long x, long long y, long long) -> long long {
            return ref_not_negative(x > y ? x : y);
          }))
INTRINSIC(vimin_s16x2_relu, unsigned, (unsigned a, unsigned b), __vimin_s16x2_relu(a, b),
          ref_parts<short>(a, b, 0, [](long long x, long long y, long long) -> long long {
            return ref_not_negative(x > y ? y : x);
          }))
// The extreme and what the pointers get, in one number.
#define WITH_1(type, function)                                                    \
  [&] {                                                                           \
    bool is_first;                                                                \
    const type extreme = function(a, b, &is_first);                               \
    return static_cast<long long>(static_cast<unsigned>(extreme)) * 4 + is_first; \
  }()
#define WITH_2(function)                                         \
  [&] {                                                          \
    bool high, low;                                              \
    const unsigned extreme = function(a, b, &high, &low);        \
    return static_cast<long long>(extreme) * 4 + high * 2 + low; \
  }()
INTRINSIC(vibmax_s32, long long, (int a, int b), WITH_1(int, __vibmax_s32), ref_with(a > b ? a : b, a >= b))
INTRINSIC(vibmin_s32, long long, (int a, int b), WITH_1(int, __vibmin_s32), ref_with(a > b ? b : a, a <= b))
INTRINSIC(vibmax_u32, long long, (unsigned a, unsigned b), WITH_1(unsigned, __vibmax_u32),
          ref_with(a > b ? a : b, a >= b))
INTRINSIC(vibmin_u32, long long, (unsigned a, unsigned b), WITH_1(unsigned, __vibmin_u32),
          ref_with(a > b ? b : a, a <= b))
#define PACKED_EXTREME(name, type, extreme, condition)                                                      \
  INTRINSIC(                                                                                                \
      name, long long, (unsigned a, unsigned b), WITH_2(__##name),                                          \
      ref_with_both(ref_parts<type>(                                                                        \
                        a, b, 0, [](long long x, long long y, long long) -> long long { return extreme; }), \
                    ref_parts<type>(a, b, 0, [](long long x, long long y, long long) -> long long {         \
                      return (condition);                                                                   \
                    })))
PACKED_EXTREME(vibmax_s16x2, short, x > y ? x : y, x >= y)
PACKED_EXTREME(vibmin_s16x2, short, x > y ? y : x, x <= y)
PACKED_EXTREME(vibmax_u16x2, unsigned short, x > y ? x : y, x >= y)
PACKED_EXTREME(vibmin_u16x2, unsigned short, x > y ? y : x, x <= y)
#undef PACKED_EXTREME
#undef WITH_1
#undef WITH_2

// --- The same bits
INTRINSIC(float_as_int, int, (float a), __float_as_int(a), ref_bits<int>(a))
INTRINSIC(float_as_uint, unsigned, (float a), __float_as_uint(a), ref_bits<unsigned>(a))
INTRINSIC(int_as_float, float, (int a), __int_as_float(a), ref_bits<float>(a))
INTRINSIC(uint_as_float, float, (unsigned a), __uint_as_float(a), ref_bits<float>(a))
INTRINSIC(double_as_longlong, long long, (double a), __double_as_longlong(a), ref_bits<long long>(a))
INTRINSIC(longlong_as_double, double, (long long a), __longlong_as_double(a), ref_bits<double>(a))
INTRINSIC(double2hiint, int, (double a), __double2hiint(a), static_cast<int>(ref_bits<long long>(a) >> 32))
INTRINSIC(double2loint, int, (double a), __double2loint(a), static_cast<int>(ref_bits<long long>(a)))
INTRINSIC(hiloint2double, double, (int a, int b), __hiloint2double(a, b),
          ref_bits<double>(ref_joined(static_cast<unsigned>(b), static_cast<unsigned>(a))))

// --- By a rounding
#define ROUNDED(EACH, ...)       \
  EACH(rn, nearest, __VA_ARGS__) \
  EACH(rz, to_zero, __VA_ARGS__) \
  EACH(ru, up, __VA_ARGS__)      \
  EACH(rd, down, __VA_ARGS__)
#define TO_INTEGER(suffix, mode, name, to, from) \
  INTRINSIC(name##_##suffix, to, (from a), __##name##_##suffix(a), (ref_integer<to, from>(a, Rounding::mode)))
ROUNDED(TO_INTEGER, float2int, int, float)
ROUNDED(TO_INTEGER, float2uint, unsigned, float)
ROUNDED(TO_INTEGER, float2ll, long long, float)
ROUNDED(TO_INTEGER, float2ull, unsigned long long, float)
ROUNDED(TO_INTEGER, double2int, int, double)
ROUNDED(TO_INTEGER, double2uint, unsigned, double)
ROUNDED(TO_INTEGER, double2ll, long long, double)
ROUNDED(TO_INTEGER, double2ull, unsigned long long, double)
#undef TO_INTEGER
#define TO_FLOATING(suffix, mode, name, to, from) \
  INTRINSIC(name##_##suffix, to, (from a), __##name##_##suffix(a), ref_floating<to>(a, Rounding::mode))
ROUNDED(TO_FLOATING, int2float, float, int)
ROUNDED(TO_FLOATING, uint2float, float, unsigned)
ROUNDED(TO_FLOATING, ll2float, float, long long)
ROUNDED(TO_FLOATING, ull2float, float, unsigned long long)
ROUNDED(TO_FLOATING, double2float, float, double)
ROUNDED(TO_FLOATING, ll2double, double, long long)
ROUNDED(TO_FLOATING, ull2double, double, unsigned long long)
#undef TO_FLOATING
INTRINSIC(int2double_rn, double, (int a), __int2double_rn(a), static_cast<double>(a))
INTRINSIC(uint2double_rn, double, (unsigned a), __uint2double_rn(a), static_cast<double>(a))
#define ARITHMETIC(suffix, mode, prefix, type, fma_name)                                           \
  INTRINSIC(prefix##add_##suffix, type, (type a, type b), __##prefix##add_##suffix(a, b),          \
            ref_added(a, b, Rounding::mode))                                                       \
  INTRINSIC(prefix##sub_##suffix, type, (type a, type b), __##prefix##sub_##suffix(a, b),          \
            ref_added(a, -b, Rounding::mode))                                                      \
  INTRINSIC(prefix##mul_##suffix, type, (type a, type b), __##prefix##mul_##suffix(a, b),          \
            ref_multiplied(a, b, Rounding::mode))                                                  \
  INTRINSIC(prefix##div_##suffix, type, (type a, type b), __##prefix##div_##suffix(a, b),          \
            ref_divided(a, b, Rounding::mode))                                                     \
  INTRINSIC(prefix##rcp_##suffix, type, (type a), __##prefix##rcp_##suffix(a),                     \
            ref_divided<type>(1, a, Rounding::mode))                                               \
  INTRINSIC(prefix##sqrt_##suffix, type, (type a), __##prefix##sqrt_##suffix(a),                   \
            ref_square_root(a, Rounding::mode))                                                    \
  INTRINSIC(fma_name##_##suffix, type, (type a, type b, type c), __##fma_name##_##suffix(a, b, c), \
            ref_multiplied_and_added(a, b, c, Rounding::mode))
ROUNDED(ARITHMETIC, f, float, fmaf)
ROUNDED(ARITHMETIC, d, double, fma)
#undef ARITHMETIC
#define FMAF_IEEE(suffix, mode, type)                                                          \
  INTRINSIC(fmaf_ieee_##suffix, type, (type a, type b, type c), __fmaf_ieee_##suffix(a, b, c), \
            ref_multiplied_and_added(a, b, c, Rounding::mode))
ROUNDED(FMAF_IEEE, float)
#undef FMAF_IEEE
#undef ROUNDED
INTRINSIC(frsqrt_rn, float, (float a), __frsqrt_rn(a), ref_reciprocal_root(a))
INTRINSIC(saturatef, float, (float a), __saturatef(a), a != a || a <= 0 ? 0.0f : a >= 1 ? 1.0f : a)

// --- Mathematical functions that are exact
INTRINSIC(fabsf, float, (float a), fabsf(a), ref_bits<float>(ref_bits<unsigned>(a) & 0x7fffffff))
INTRINSIC(fminf, float, (float a, float b), fminf(a, b) + 0.0f, ref_extreme(a, b, -1))
INTRINSIC(fmaxf, float, (float a, float b), fmaxf(a, b) + 0.0f, ref_extreme(a, b, 1))
INTRINSIC(floorf, float, (float a), floorf(a), ref_whole(a, Rounding::down))
INTRINSIC(ceilf, float, (float a), ceilf(a), ref_whole(a, Rounding::up))
INTRINSIC(truncf, float, (float a), truncf(a), ref_whole(a, Rounding::to_zero))
INTRINSIC(rintf, float, (float a), rintf(a), ref_whole(a, Rounding::nearest))
INTRINSIC(nearbyintf, float, (float a), nearbyintf(a), ref_whole(a, Rounding::nearest))
INTRINSIC(sqrtf, float, (float a), sqrtf(a), ref_square_root(a, Rounding::nearest))
INTRINSIC(copysignf, float, (float a, float b), copysignf(a, b),
          ref_bits<float>((ref_bits<unsigned>(a) & 0x7fffffff) | (ref_bits<unsigned>(b) & 0x80000000)))
INTRINSIC(abs_float, float, (float a), abs(a), ref_bits<float>(ref_bits<unsigned>(a) & 0x7fffffff))
INTRINSIC(isnan_float, bool, (float a), isnan(a), (ref_bits<unsigned>(a) & 0x7fffffff) > 0x7f800000)
INTRINSIC(isinf_float, bool, (float a), isinf(a), (ref_bits<unsigned>(a) & 0x7fffffff) == 0x7f800000)
INTRINSIC(isfinite_double, bool, (double a), isfinite(a),
          (ref_bits<unsigned long long>(a) >> 52 & 0x7ff) != 0x7ff)
INTRINSIC(signbit_float, bool, (float a), signbit(a) != 0, ref_bits<unsigned>(a) >> 31)
INTRINSIC(min_float, float, (float a, float b), min(a, b) + 0.0f, ref_extreme(a, b, -1))
INTRINSIC(max_float, float, (float a, float b), max(a, b) + 0.0f, ref_extreme(a, b, 1))
