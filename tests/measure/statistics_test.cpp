// SPDX-License-Identifier: MIT
#include "measure/statistics.hpp"

#include <doctest/doctest.h>

namespace {

void check_summary(std::vector<double> samples, double min, double q1, double median, double q3) {
  const std::size_t count = samples.size();
  const measure::Summary summary = measure::summarize(std::move(samples));
  CHECK(summary.samples == count);
  CHECK(summary.min == min);
  CHECK(summary.q1 == q1);
  CHECK(summary.median == median);
  CHECK(summary.q3 == q3);
}

}  // namespace

TEST_CASE("one sample is its own median and quartiles") { check_summary({2.5}, 2.5, 2.5, 2.5, 2.5); }

TEST_CASE("quartiles lie between the neighbouring samples, in proportion") {
  check_summary({1, 3}, 1, 1.5, 2, 2.5);
  check_summary({1, 2, 4, 12}, 1, 1.75, 3, 6);
}

TEST_CASE("quartiles are samples where their number allows") { check_summary({1, 2, 4, 8, 16}, 1, 2, 4, 8); }

TEST_CASE("the order of the samples does not matter, and equal ones count each") {
  check_summary({16, 1, 8, 2, 4}, 1, 2, 4, 8);
  check_summary({7, 7, 7, 0}, 0, 5.25, 7, 7);
}
