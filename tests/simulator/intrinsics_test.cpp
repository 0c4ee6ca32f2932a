// SPDX-License-Identifier: MIT
#include "simulator/cuda/intrinsics.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <type_traits>

#include "kernels.hpp"
#include "launching.hpp"

TEST_CASE("__popc and __popcll count bits") {
  CHECK(__popc(0) == 0);
  CHECK(__popc(0xffffffff) == 32);
  CHECK(__popc(0x80010003) == 4);
  CHECK(__popcll(0) == 0);
  CHECK(__popcll(0xffffffffffffffff) == 64);
  CHECK(__popcll(0x8000000100000001) == 3);
}

TEST_CASE("__ffs and __ffsll give the position of the lowest bit, from 1, or 0") {
  CHECK(__ffs(0) == 0);
  CHECK(__ffs(1) == 1);
  CHECK(__ffs(0x50) == 5);
  CHECK(__ffs(INT_MIN) == 32);
  CHECK(__ffsll(0) == 0);
  CHECK(__ffsll(0x50) == 5);
  CHECK(__ffsll(1ll << 40) == 41);
  CHECK(__ffsll(LLONG_MIN) == 64);
}

TEST_CASE("__clz and __clzll count the leading zeros, of 0 all of them") {
  CHECK(__clz(0) == 32);
  CHECK(__clz(1) == 31);
  CHECK(__clz(-1) == 0);
  CHECK(__clz(0x00010000) == 15);
  CHECK(__clzll(0) == 64);
  CHECK(__clzll(1) == 63);
  CHECK(__clzll(-1) == 0);
  CHECK(__clzll(1ll << 40) == 23);
}

TEST_CASE("__brev reverses the bits") {
  CHECK(__brev(0) == 0);
  CHECK(__brev(1) == 0x80000000);
  CHECK(__brev(0x80000000) == 1);
  CHECK(__brev(0x12345678) == 0x1e6a2c48);
  CHECK(__brev(0xffffffff) == 0xffffffff);
}

TEST_CASE("__byte_perm picks four of eight bytes") {
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x3210) == 0x33221100);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x7654) == 0x77665544);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x0123) == 0x00112233);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x5140) == 0x55114400);
  CHECK(__byte_perm(0x33221100, 0x77665544, 0x6666) == 0x66666666);
  // neither the fourth bit of a selector nor the upper half counts
  CHECK(__byte_perm(0x33221100, 0x77665544, 0xffffba98) == 0x33221100);
}

TEST_CASE("min and max of one type") {
  CHECK(min(-1, 2) == -1);
  CHECK(max(-1, 2) == 2);
  CHECK(min(0xffffffffu, 2u) == 2u);
  CHECK(max(0xffffffffu, 2u) == 0xffffffffu);
  CHECK(min(-1l, 2l) == -1l);
  CHECK(max(1ul << 40, 2ul) == 1ul << 40);
  CHECK(max(-1ll, 1ll << 40) == 1ll << 40);
  CHECK(min(ULLONG_MAX, 2ull) == 2ull);
  CHECK(min(0.5f, 0.25f) == 0.25f);
  CHECK(max(0.5, -0.25) == 0.5);
}

TEST_CASE("min and max of mixed types take the wider and the unsigned one, as in CUDA") {
  CHECK(max(-1, 2u) == 0xffffffffu);
  CHECK(min(-1, 2u) == 2u);
  CHECK(min(2u, -1) == 2u);
  CHECK(max(-1l, 2ul) == ULONG_MAX);
  CHECK(max(-1ll, 2ull) == ULLONG_MAX);
  CHECK(min(2ull, -1ll) == 2ull);
  CHECK(max(0.5f, 0.75) == 0.75);
  CHECK(min(0.1, 0.5f) == 0.1);
  CHECK(std::is_same_v<decltype(max(-1, 2u)), unsigned int>);
  CHECK(std::is_same_v<decltype(min(2ull, -1ll)), unsigned long long>);
  CHECK(std::is_same_v<decltype(min(0.5f, 0.75)), double>);
  CHECK(std::is_same_v<decltype(min('a', 'b')), int>);
}

TEST_CASE("loads and stores with a cache hint do what plain ones do") {
  const DeviceArray<unsigned> in({11, 22, 33, 44}), out(12);
  const DeviceArray<uint4> vectors({{0, 0, 0, 0}, {1, 2, 3, 4}});
  CHECK(launch({1, 1}, [&] { cached_loads(in.data(), vectors.data(), out.data()); }).hazards.empty());
  CHECK(out.values() == std::vector<unsigned>{11, 22, 33, 44, 4321, 32, 33, 44, 11, 22, 33, 44});
}

TEST_CASE("a thread can ask where an address lies") {
  const DeviceArray<unsigned> in(2, 1), out(6);
  CHECK(launch({1, 1}, [&] { tell_spaces(in.data(), out.data()); }).hazards.empty());
  CHECK(out.values() == std::vector<unsigned>{100, 10, 1, 8, 1, 1});
}
