// SPDX-License-Identifier: MIT
// Shuffles: CUDA C++ Programming Guide, "Warp shuffle functions", and PTX ISA, "shfl.sync".
#include <doctest/doctest.h>

#include "kernels.hpp"
#include "launching.hpp"

namespace {

constexpr Shuffle kinds[] = {Shuffle::index, Shuffle::up, Shuffle::down, Shuffle::exclusive_or};

// Which lane each of a warp's lanes gets the value of.
std::vector<unsigned> sources(Shuffle kind, int argument, int width, unsigned mask = full) {
  const DeviceArray<unsigned> lanes(filled(32, [](unsigned i) { return i; })), out(32, 99);
  const auto result =
      launch({1, 32}, [&] { shuffle(kind, mask, argument, width, lanes.data(), out.data()); });
  CHECK(result.hazards.empty());
  return out.values();
}

// What the guide says, lane by lane.
unsigned source(Shuffle kind, int lane, int argument, int width) {
  const int begin = lane / width * width, end = begin + width;
  int wanted = begin + (argument % width + width) % width;
  if (kind == Shuffle::up) wanted = lane - argument;
  if (kind == Shuffle::down) wanted = lane + argument;
  if (kind == Shuffle::exclusive_or) wanted = lane ^ argument;
  const bool too_low = kind == Shuffle::up && wanted < begin;
  return static_cast<unsigned>(too_low || wanted >= end ? lane : wanted);
}

// Whether every kind of shuffle carries all bits of a type.
template <class T>
void check_values(T first, T step) {
  const DeviceArray<T> in(
      filled(32, [&](unsigned i) { return static_cast<T>(first + static_cast<T>(i) * step); }));
  for (const Shuffle kind : kinds) {
    const DeviceArray<T> out(32);
    launch({1, 32}, [&] { shuffle(kind, full, 5, 32, in.data(), out.data()); });
    CHECK(out.values() ==
          filled(32, [&](unsigned i) { return in[source(kind, static_cast<int>(i), 5, 32)]; }));
  }
}

}  // namespace

TEST_CASE("a shuffle by index gives the value of one lane of each segment") {
  CHECK(sources(Shuffle::index, 9, 32) == std::vector<unsigned>(32, 9));
  CHECK(sources(Shuffle::index, 3, 8) == filled(32, [](unsigned i) { return i / 8 * 8 + 3; }));
}

TEST_CASE("a source lane beyond the segment is taken modulo its width") {
  CHECK(sources(Shuffle::index, 41, 32) == std::vector<unsigned>(32, 9));
  CHECK(sources(Shuffle::index, 11, 8) == filled(32, [](unsigned i) { return i / 8 * 8 + 3; }));
  CHECK(sources(Shuffle::index, -1, 32) == std::vector<unsigned>(32, 31));
}

TEST_CASE("a shuffle up leaves the first lanes of a segment as they are") {
  CHECK(sources(Shuffle::up, 1, 32) == filled(32, [](unsigned i) { return i == 0 ? 0 : i - 1; }));
  CHECK(sources(Shuffle::up, 3, 8) == filled(32, [](unsigned i) { return i % 8 < 3 ? i : i - 3; }));
}

TEST_CASE("a shuffle down leaves the last lanes of a segment as they are") {
  CHECK(sources(Shuffle::down, 1, 32) == filled(32, [](unsigned i) { return i == 31 ? 31 : i + 1; }));
  CHECK(sources(Shuffle::down, 3, 8) == filled(32, [](unsigned i) { return i % 8 > 4 ? i : i + 3; }));
}

TEST_CASE("a shuffle by exclusive or exchanges lanes, and reaches earlier segments but no later ones") {
  CHECK(sources(Shuffle::exclusive_or, 16, 32) == filled(32, [](unsigned i) { return (i + 16) % 32; }));
  CHECK(sources(Shuffle::exclusive_or, 1, 8) == filled(32, [](unsigned i) { return i % 2 ? i - 1 : i + 1; }));
  CHECK(sources(Shuffle::exclusive_or, 8, 8) ==
        filled(32, [](unsigned i) { return i % 16 < 8 ? i : i - 8; }));
}

TEST_CASE("every distance and width gives what the guide says") {
  for (const int width : {1, 2, 4, 8, 16, 32}) {
    for (int argument = 0; argument < 32; ++argument) {
      CAPTURE(width);
      CAPTURE(argument);
      for (const Shuffle kind : kinds) {
        CHECK(sources(kind, argument, width) ==
              filled(32, [&](unsigned i) { return source(kind, static_cast<int>(i), argument, width); }));
      }
    }
  }
}

TEST_CASE("of a distance only five bits count, as in PTX") {
  for (const Shuffle kind : kinds) {
    CHECK(sources(kind, 33, 32) == sources(kind, 1, 32));
    CHECK(sources(kind, -1, 32) == sources(kind, 31, 32));
    CHECK(sources(kind, 32, 8) == sources(kind, 0, 8));
  }
}

TEST_CASE("a shuffle carries every bit of its type") {
  SUBCASE("int") { check_values(-7, 3); }
  SUBCASE("unsigned int") { check_values(0xfffffff0u, 0x01234567u); }
  SUBCASE("long long") { check_values(-0x123456789abcdll, 0x111111111ll); }
  SUBCASE("unsigned long long") { check_values(0xfedcba9876543210ull, 0x111111111ull); }
  SUBCASE("float") { check_values(-1.5f, 0.125f); }
  SUBCASE("double") { check_values(1e-300, 1e-301); }
}

TEST_CASE("the lanes of a mask shuffle among themselves") {
  const unsigned even = 0x55555555;
  CHECK(sources(Shuffle::down, 2, 32, even) == filled(32, [](unsigned i) {
          return i % 2 ? 99 : i == 30 ? 30 : i + 2;
        }));
  CHECK(sources(Shuffle::index, 4, 32, even) == filled(32, [](unsigned i) { return i % 2 ? 99u : 4u; }));
  CHECK(sources(Shuffle::exclusive_or, 6, 8, even) ==
        filled(32, [](unsigned i) { return i % 2 ? 99 : i ^ 6; }));
}

TEST_CASE("a full mask serves in a warp that the end of the block cuts off") {
  const DeviceArray<unsigned> in(filled(40, [](unsigned i) { return 10 * i; })), out(40);
  const auto result =
      launch({1, 40}, [&] { shuffle(Shuffle::exclusive_or, full, 1, 32, in.data(), out.data()); });
  CHECK(result.hazards.empty());
  CHECK(out.values() == filled(40, [](unsigned i) { return 10 * (i ^ 1); }));
}
