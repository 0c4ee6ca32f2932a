// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "measure/measurement.hpp"

using measure::Samples;
using measure::StopRule;
using std::chrono::milliseconds;

namespace {

runner::RunAnswer timed(std::vector<double> times, std::vector<double> clocks = {}) {
  runner::RunAnswer answer;
  answer.times_ms = std::move(times);
  answer.clocks_mhz = std::move(clocks);
  return answer;
}

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

TEST_CASE(
    "there are samples enough once the quartiles lie close to the median, but not before the least number") {
  const StopRule rule{.round = 5, .least = 4, .most = 100, .spread = 0.01, .budget = milliseconds(1000)};
  Samples samples;
  CHECK_FALSE(samples.enough(rule));
  samples.add(timed({100, 100, 100}), milliseconds(1));
  CHECK_FALSE(samples.enough(rule));
  samples.add(timed({100}), milliseconds(1));
  CHECK(samples.enough(rule));

  Samples spread;
  spread.add(timed({98, 99, 101, 102}), milliseconds(1));  // quartiles 98.75 and 101.25
  CHECK_FALSE(spread.enough(rule));
  spread.add(timed({100, 100, 100, 100, 100, 100, 100, 100}), milliseconds(1));
  CHECK(spread.enough(rule));
}

TEST_CASE("after the budget, or the most samples, what there is has to do") {
  const StopRule rule{.round = 5, .least = 20, .most = 7, .spread = 0, .budget = milliseconds(1000)};
  Samples slow;
  slow.add(timed({900}), milliseconds(999));
  CHECK_FALSE(slow.enough(rule));
  slow.add(timed({900}), milliseconds(1));
  CHECK(slow.enough(rule));

  const StopRule three{
      .round = 5, .least = 20, .most = 7, .spread = 0, .budget = milliseconds(1000), .fewest = 3};
  Samples few(1980);
  few.add(timed({900}, {1980}), milliseconds(1500));
  CHECK_FALSE(few.enough(three));
  CHECK(few.next_round(three) == 1);
  few.add(timed({900}, {100}), milliseconds(1500));  // dropped, but not for ever asked for again
  CHECK_FALSE(few.enough(three));
  few.add(timed({900}, {1980}), milliseconds(1500));
  CHECK(few.enough(three));

  Samples many;
  many.add(timed({1, 2, 3, 4, 5, 6, 7}), milliseconds(1));
  CHECK(many.enough(rule));
}

TEST_CASE(
    "the first round is one sample; later ones are as many as fit into the budget, and no more than are "
    "wanted") {
  const StopRule rule{.round = 5, .least = 20, .most = 9, .spread = 0, .budget = milliseconds(1000)};
  Samples samples;
  CHECK(samples.next_round(rule) == 1);
  samples.add(timed({1}), milliseconds(100));
  CHECK(samples.next_round(rule) == 5);
  samples.add(timed({1, 1}), milliseconds(500));  // 200 ms each, 400 ms left
  CHECK(samples.next_round(rule) == 2);
  samples.add(timed({1}), milliseconds(390));
  CHECK(samples.next_round(rule) == 1);
  Samples quick;
  quick.add(timed({1, 1, 1, 1, 1, 1}), milliseconds(6));
  CHECK(quick.next_round(rule) == 3);
}

TEST_CASE("samples taken while the GPU had lowered its clock are dropped and counted") {
  Samples samples(2000);
  samples.add(timed({1, 9, 2}, {2000, 1499, 1500}), milliseconds(1));
  CHECK(samples.times_ms() == std::vector<double>{1, 2});
  CHECK(samples.dropped() == 1);
  CHECK(samples.clock_mhz() == 1750);
  Samples unwatched;
  unwatched.add(timed({1, 9, 2}, {2000, 1499, 1500}), milliseconds(1));
  CHECK(unwatched.times_ms().size() == 3);
  CHECK_FALSE(unwatched.clock_mhz());
  CHECK_FALSE(Samples().summary());
}

TEST_CASE("a win is claimed only where the quartiles do not overlap") {
  const measure::Summary quick{10, 9, 9.5, 10.5, 20}, slow{11, 10, 10.6, 12, 20},
      between{10.4, 9, 10, 10.6, 20};
  CHECK(measure::is_faster(quick, slow));
  CHECK_FALSE(measure::is_faster(slow, quick));
  CHECK_FALSE(measure::is_faster(quick, between));
  CHECK_FALSE(measure::is_faster(quick, quick));
}
