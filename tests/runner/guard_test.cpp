// SPDX-License-Identifier: MIT
#include "runner/guard.hpp"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "made_exercise.hpp"

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

facts::Observation overwritten(std::int64_t distance, std::size_t bytes) {
  return runner::input_overwritten(exercise_of(letters4), distance, bytes);
}
facts::Observation overrun(std::int64_t distance) {
  return runner::output_overrun(exercise_of(letters4), distance, 28);
}

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

TEST_CASE("a write to the input is told as an index into its array") {
  const auto told = overwritten(1000, 1000);
  CHECK(told.verdict == facts::Verdict::out_of_bounds);
  CHECK(told.message == "the kernel wrote data[1000]; data has 1000 bytes, and they are only to be read");
  CHECK(told.sites.empty());
  CHECK(overwritten(-3, 10).message ==
        "the kernel wrote data[-3]; data has 10 bytes, and they are only to be read");
}

TEST_CASE(
    "a write beside the output is told as an index into its array, whichever byte of an element it was") {
  const auto message = [](std::int64_t distance) { return overrun(distance).message; };
  CHECK(overrun(28).verdict == facts::Verdict::out_of_bounds);
  CHECK(message(28) == "the kernel wrote histo[7]; histo has 7 counters");
  CHECK(message(31) == "the kernel wrote histo[7]; histo has 7 counters");
  CHECK(message(32) == "the kernel wrote histo[8]; histo has 7 counters");
  CHECK(message(-1) == "the kernel wrote histo[-1]; histo has 7 counters");
  CHECK(message(-4) == "the kernel wrote histo[-1]; histo has 7 counters");
  CHECK(message(-5) == "the kernel wrote histo[-2]; histo has 7 counters");
}

TEST_CASE("an index counts the exercise's own elements, in its own words") {
  runner::Exercise exercise = exercise_of(letters4);
  exercise.input = {"values", "numbers", 8};
  CHECK(runner::input_overwritten(exercise, 87, 80).message ==
        "the kernel wrote values[10]; values has 10 numbers, and they are only to be read");
  CHECK(runner::input_overwritten(exercise, -1, 80).message ==
        "the kernel wrote values[-1]; values has 10 numbers, and they are only to be read");
}
