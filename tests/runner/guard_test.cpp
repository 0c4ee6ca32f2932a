// SPDX-License-Identifier: MIT
#include "runner/guard.hpp"

#include <doctest/doctest.h>

#include <map>
#include <vector>

using runner::GuardedLayout;

namespace {

constexpr GuardedLayout layout{3, 100};
constexpr unsigned char guard = 0x77;

// What is found where the bytes at these distances from the payload's begin were overwritten.
std::optional<std::int64_t> found(const std::map<std::int64_t, unsigned char>& written) {
  std::vector<unsigned char> all(layout.total(), guard);
  for (const auto& [distance, byte] : written) {
    all.at(static_cast<std::size_t>(static_cast<std::int64_t>(layout.begin()) + distance)) = byte;
  }
  const std::span<const unsigned char> view = all;
  return first_overwritten(layout, view.first(layout.begin()), view.subspan(layout.end()), guard);
}

constexpr std::int64_t zone = runner::guard_bytes;

}  // namespace

TEST_CASE("the payload lies between two guard zones, behind the bytes of misalignment") {
  CHECK(runner::guard_bytes == 4096);
  CHECK(layout.begin() == 4099);
  CHECK(layout.end() == 4199);
  CHECK(layout.total() == 4199 + 4096);
}

TEST_CASE("untouched guard zones give nothing, whatever the payload holds") {
  CHECK_FALSE(found({}).has_value());
  CHECK_FALSE(found({{0, 1}, {50, 2}, {99, 3}}).has_value());
}

TEST_CASE("a byte behind the payload is named by its distance from the payload's begin, the nearest first") {
  CHECK(found({{100, 1}}) == 100);
  CHECK(found({{105, 1}, {103, 2}, {300, 3}}) == 103);
  CHECK(found({{100 + zone - 1, 1}}) == 100 + zone - 1);
}

TEST_CASE("a byte before the payload has a negative distance, the nearest first") {
  CHECK(found({{-1, 1}}) == -1);
  CHECK(found({{-20, 1}, {-3, 2}, {-300, 3}}) == -3);
  CHECK(found({{-zone - 3, 1}}) == -zone - 3);
}

TEST_CASE("where both zones were touched, the one behind is named") {
  CHECK(found({{-1, 1}, {200, 2}}) == 200);
}

TEST_CASE("a guard zone may be of no bytes") {
  const GuardedLayout none{0, 0};
  CHECK_FALSE(first_overwritten(none, {}, {}, guard).has_value());
}

TEST_CASE("a write to the input is told as an index into data") {
  const auto told = runner::data_overwritten(1000, 1000);
  CHECK(told.kind == "out_of_bounds");
  CHECK(told.message == "the kernel wrote data[1000]; data has 1000 bytes, and they are only to be read");
  CHECK(told.sites.empty());
  CHECK(runner::data_overwritten(-3, 10).message ==
        "the kernel wrote data[-3]; data has 10 bytes, and they are only to be read");
}

TEST_CASE(
    "a write beside the histogram is told as an index into histo, whichever byte of the counter it was") {
  const auto message = [](std::int64_t distance) { return runner::histogram_overrun(distance, 7).message; };
  CHECK(runner::histogram_overrun(28, 7).kind == "out_of_bounds");
  CHECK(message(28) == "the kernel wrote histo[7]; histo has 7 counters");
  CHECK(message(31) == "the kernel wrote histo[7]; histo has 7 counters");
  CHECK(message(32) == "the kernel wrote histo[8]; histo has 7 counters");
  CHECK(message(-1) == "the kernel wrote histo[-1]; histo has 7 counters");
  CHECK(message(-4) == "the kernel wrote histo[-1]; histo has 7 counters");
  CHECK(message(-5) == "the kernel wrote histo[-2]; histo has 7 counters");
}
