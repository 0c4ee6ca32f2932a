// SPDX-License-Identifier: MIT
#include "simulator/repetition.hpp"

#include <doctest/doctest.h>

#include <array>
#include <functional>

namespace {

// Whether a thread has been found to repeat itself after so many turns, in each of which it accesses one
// address.
bool is_found(unsigned turns, const std::function<unsigned(unsigned)>& address_of_turn) {
  simulator::Repetition repetition;
  for (unsigned turn = 0; turn < turns; ++turn) {
    const std::array<simulator::LaneEvent, 1> log{{{.key = 1, .address = address_of_turn(turn)}}};
    repetition.note(log);
  }
  return repetition.found();
}

}  // namespace

TEST_CASE("a thread whose turns are the same again and again repeats itself, whatever came before") {
  CHECK(is_found(100, [](unsigned) { return 7; }));
  for (const unsigned period : {2, 3, 5, 8, 100}) {
    CAPTURE(period);
    CHECK(is_found(4000, [&](unsigned turn) { return turn < 50 ? 1000 + turn : turn % period; }));
  }
  // the same turn in two places of a period
  CHECK(is_found(4000, [](unsigned turn) { return turn % 4 == 1 ? 1u : turn % 4 == 3 ? 2u : 0u; }));
}

TEST_CASE("a thread that goes through an array does not, even if it looks at one place in between") {
  CHECK_FALSE(is_found(4000, [](unsigned turn) { return turn; }));
  for (const unsigned every : {2, 3, 4}) {
    CAPTURE(every);
    CHECK_FALSE(is_found(4000, [&](unsigned turn) { return turn % every == 0 ? 7 : 1000 + turn; }));
    CHECK_FALSE(is_found(4001, [&](unsigned turn) { return turn % every < every - 1 ? 7 : 1000 + turn; }));
  }
}
