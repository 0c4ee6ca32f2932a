// SPDX-License-Identifier: MIT
#include "simulator/repetition.hpp"

#include <doctest/doctest.h>

#include <array>
#include <functional>

namespace {

// What is known of a thread after so many turns, in each of which it accesses one address.
simulator::Repetition after(unsigned turns, const std::function<unsigned(unsigned)>& address_of_turn) {
  simulator::Repetition repetition;
  for (unsigned turn = 0; turn < turns; ++turn) {
    const std::array<simulator::LaneEvent, 1> log{{{.key = 1, .address = address_of_turn(turn)}}};
    repetition.note(log, turn);
  }
  return repetition;
}

// Whether it has been found to repeat itself.
bool is_found(unsigned turns, const std::function<unsigned(unsigned)>& address_of_turn) {
  return after(turns, address_of_turn).found();
}

}  // namespace

TEST_CASE("a thread whose turns are the same again and again repeats itself, whatever came before") {
  CHECK(is_found(400, [](unsigned) { return 7; }));
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

TEST_CASE("a short loop in a long one that gets on is no repetition, wherever it is looked at") {
  for (unsigned turns = 4000; turns < 4020; ++turns) {
    CAPTURE(turns);
    // eight rounds that look the same, and then another place of the array
    const auto repetition = after(turns, [](unsigned turn) { return turn % 9 < 8 ? 7 : 1000 + turn; });
    CHECK_FALSE(repetition.found_since(turns - 50));
  }
}

TEST_CASE("how long a thread has repeated itself is told, and a break ends it at once") {
  const auto endless = [](unsigned turn) { return turn < 1000 ? 5000 + turn : turn % 3; };
  CHECK(after(8000, endless).found_since(4000));
  CHECK_FALSE(after(8000, endless).found_since(1000));
  const auto with_break = [](unsigned turn) { return turn == 7990 ? 5000 : turn % 3; };
  CHECK(after(7990, with_break).found());
  CHECK_FALSE(after(8000, with_break).found());
}
