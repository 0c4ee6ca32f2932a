// SPDX-License-Identifier: MIT
#include "measure/contest.hpp"

#include <doctest/doctest.h>

#include "hostile.hpp"
#include "problems/histogram/generators.hpp"
#include "problems/histogram/histogram_reference.hpp"

using measure::Contender;

namespace {

constexpr measure::StopRule short_rule{.round = 5, .least = 6, .most = 11, .spread = 0};

std::vector<measure::Record> contest(const std::vector<Contender>& contenders, double highest_clock_mhz = 0) {
  return measure::contest(contenders, *histogram::make_input("text", 1000, 1),
                          {.reference = &histogram::reference(),
                           .variant = "letters",
                           .rule = short_rule,
                           .highest_clock_mhz = highest_clock_mhz});
}

}  // namespace

TEST_CASE("every contender is measured over the same input and judged") {
  const auto reports = contest({{hostile("is honest", {"BLOCK=64"})},
                                {hostile("is honest", {"BLOCK=32"})},
                                {hostile("is honest", {"BLOCK=64"})}});
  REQUIRE(reports.size() == 3);
  for (const measure::Record& report : reports) {
    CHECK(name_of(report.finding.verdict) == "pass");
    REQUIRE(report.time_ms);
    CHECK(report.time_ms->samples == 11);
    CHECK(report.result == reports.front().result);
    CHECK(throughput_gb_s(report) == doctest::Approx(1000 / report.time_ms->median / 1e6));
  }
  CHECK(reports[0].launch.block == 64);
  CHECK(reports[1].launch.block == 32);
}

TEST_CASE("a contender that is wrong, or does not start, has its finding, and the others go on") {
  Contender missing{hostile("is honest")};
  missing.settings.program += ".missing";
  const auto reports = contest({{hostile("counts its runs from 1")}, missing, {hostile("is honest")}});
  CHECK(name_of(reports[0].finding.verdict) == "wrong_answer");
  CHECK(name_of(reports[1].finding.verdict) == "protocol");
  CHECK_FALSE(reports[1].time_ms);
  CHECK(name_of(reports[2].finding.verdict) == "pass");
  CHECK(reports[2].time_ms);
}

TEST_CASE("one that computes nothing must leave the output as it is") {
  Contender counting{hostile("is honest")};
  counting.computes = false;
  CHECK(name_of(contest({counting}).front().finding.verdict) == "wrong_answer");
}

TEST_CASE("where the clock is watched, samples below three quarters of the highest are dropped" *
          doctest::test_suite("long")) {
  const auto reports =
      contest({{hostile("is honest", {"CLOCK_MHZ=1500"})}, {hostile("is honest", {"CLOCK_MHZ=1400"})}}, 2000);
  CHECK(reports[0].dropped == 0);
  CHECK(reports[0].clock_mhz == 1500);
  CHECK(reports[1].dropped > 0);
  CHECK_FALSE(reports[1].time_ms);
}
