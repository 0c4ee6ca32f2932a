// SPDX-License-Identifier: MIT
// Sizes and alignments: CUDA C++ Programming Guide, "Built-in vector types".
#include "simulator/cuda/types.hpp"

#include <doctest/doctest.h>

#include <cstddef>

namespace {

template <class Vector>
void check_layout(std::size_t size, std::size_t alignment) {
  CHECK(sizeof(Vector) == size);
  CHECK(alignof(Vector) == alignment);
}

}  // namespace

TEST_CASE("vectors of one element are laid out as the element") {
  check_layout<char1>(1, 1);
  check_layout<uchar1>(1, 1);
  check_layout<short1>(2, 2);
  check_layout<ushort1>(2, 2);
  check_layout<int1>(4, 4);
  check_layout<uint1>(4, 4);
  check_layout<long1>(8, 8);
  check_layout<ulong1>(8, 8);
  check_layout<longlong1>(8, 8);
  check_layout<ulonglong1>(8, 8);
  check_layout<float1>(4, 4);
  check_layout<double1>(8, 8);
}

TEST_CASE("vectors of two elements are aligned to their size") {
  check_layout<char2>(2, 2);
  check_layout<uchar2>(2, 2);
  check_layout<short2>(4, 4);
  check_layout<ushort2>(4, 4);
  check_layout<int2>(8, 8);
  check_layout<uint2>(8, 8);
  check_layout<long2>(16, 16);
  check_layout<ulong2>(16, 16);
  check_layout<longlong2>(16, 16);
  check_layout<ulonglong2>(16, 16);
  check_layout<float2>(8, 8);
  check_layout<double2>(16, 16);
}

TEST_CASE("vectors of three elements are aligned to one element") {
  check_layout<char3>(3, 1);
  check_layout<uchar3>(3, 1);
  check_layout<short3>(6, 2);
  check_layout<ushort3>(6, 2);
  check_layout<int3>(12, 4);
  check_layout<uint3>(12, 4);
  check_layout<long3>(24, 8);
  check_layout<ulong3>(24, 8);
  check_layout<longlong3>(24, 8);
  check_layout<ulonglong3>(24, 8);
  check_layout<float3>(12, 4);
  check_layout<double3>(24, 8);
}

TEST_CASE("vectors of four elements are aligned to their size, at most to 16 bytes") {
  check_layout<char4>(4, 4);
  check_layout<uchar4>(4, 4);
  check_layout<short4>(8, 8);
  check_layout<ushort4>(8, 8);
  check_layout<int4>(16, 16);
  check_layout<uint4>(16, 16);
  check_layout<long4>(32, 16);
  check_layout<ulong4>(32, 16);
  check_layout<longlong4>(32, 16);
  check_layout<ulonglong4>(32, 16);
  check_layout<float4>(16, 16);
  check_layout<double4>(32, 16);
}

TEST_CASE("vectors of four elements with 8 bytes each, by the alignment that their name gives") {
  check_layout<long4_16a>(32, 16);
  check_layout<ulong4_16a>(32, 16);
  check_layout<longlong4_16a>(32, 16);
  check_layout<ulonglong4_16a>(32, 16);
  check_layout<double4_16a>(32, 16);
  check_layout<long4_32a>(32, 32);
  check_layout<ulong4_32a>(32, 32);
  check_layout<longlong4_32a>(32, 32);
  check_layout<ulonglong4_32a>(32, 32);
  check_layout<double4_32a>(32, 32);
  CHECK(make_double4_32a(1, 2, 3, 4).w == 4);
}

TEST_CASE("a number is no vector, but braces around it make one, whose other elements are 0") {
  CHECK_FALSE(std::is_convertible_v<int, uint2>);
  CHECK_FALSE(std::is_convertible_v<float, float4>);
  const uint2 pair = {3};
  CHECK(pair.x == 3);
  CHECK(pair.y == 0);
  const float4 three{1, 2, 3};
  CHECK(three.z == 3);
  CHECK(three.w == 0);
  constexpr uint4 in_constants = {1, 2, 3, 4};
  static_assert(in_constants.w == 4);
}

TEST_CASE("make_ functions fill the elements in order") {
  const uchar4 bytes = make_uchar4(1, 2, 3, 4);
  CHECK(bytes.x == 1);
  CHECK(bytes.y == 2);
  CHECK(bytes.z == 3);
  CHECK(bytes.w == 4);
  CHECK(make_int1(-5).x == -5);
  CHECK(make_float2(1.5f, 2.5f).y == 2.5f);
  CHECK(make_ulonglong3(1, 2, 3).z == 3);
}

TEST_CASE("dim3 takes what is not given as 1, and converts from and to uint3") {
  const dim3 none, line(7), all(2, 3, 4), converted = uint3{5, 6, 7};
  CHECK(none.x == 1);
  CHECK(none.y == 1);
  CHECK(none.z == 1);
  CHECK(line.x == 7);
  CHECK(line.y == 1);
  CHECK(all.z == 4);
  CHECK(converted.y == 6);
  const uint3 back = all;
  CHECK(back.x == 2);
  CHECK(back.y == 3);
  CHECK(back.z == 4);
}
