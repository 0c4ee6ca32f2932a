// SPDX-License-Identifier: MIT
#include "facts/verdict.hpp"

#include <doctest/doctest.h>

using facts::Verdict;

TEST_CASE("verdicts have the names of the documents, in the order of precedence") {
  const std::vector<std::string_view> documented{
      "unavailable", "not_started",  "build_error",  "forbidden",     "protocol",      "limit",
      "timeout",     "crash",        "launch_error", "out_of_bounds", "uninitialised", "divergent_barrier",
      "race",        "wrong_answer", "technique",    "pass"};
  REQUIRE(documented.size() == static_cast<std::size_t>(Verdict::pass) + 1);
  for (std::size_t i = 0; i < documented.size(); ++i) {
    CHECK(name_of(static_cast<Verdict>(i)) == documented[i]);
    CHECK(facts::find_verdict(documented[i]) == static_cast<Verdict>(i));
  }
}

TEST_CASE("other words name no verdict") {
  for (const std::string_view word : {"", "PASS", "Pass", "pass ", "timeouts", "accepted"}) {
    CAPTURE(word);
    CHECK_FALSE(facts::find_verdict(word));
  }
}

TEST_CASE("of two findings the one with the earlier verdict is told first, and none comes before its equal") {
  const facts::Finding timeout{Verdict::timeout}, race{Verdict::race}, pass{Verdict::pass};
  CHECK(comes_before(timeout, race));
  CHECK(comes_before(race, pass));
  CHECK_FALSE(comes_before(race, timeout));
  CHECK_FALSE(comes_before(race, facts::Finding{Verdict::race, "another one"}));
}
