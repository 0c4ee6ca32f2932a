// SPDX-License-Identifier: MIT
#include "measure/sweep.hpp"

#include <doctest/doctest.h>

#include "support/made_records.hpp"

using measure::sweeps;

TEST_CASE("points of one exercise are a curve in ascending order; exercises share a sweep") {
  const auto found = sweeps(read_all({made_point("block", 64, 2), made_point("block", 32, 4),
                                      made_point("block", 32, 9, "03_privatization")}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].timed);
  CHECK(found[0].name() == "block");
  REQUIRE(found[0].curves.size() == 2);
  REQUIRE(found[0].curves[0].points.size() == 2);
  CHECK(found[0].curves[0].points[0].sweep->value == 32);
  CHECK(found[0].curves[0].points[0].time_ms->median == 4);
  CHECK(found[0].curves[1].points[0].exercise.lab == "03_privatization");
}

TEST_CASE("a value that comes again begins a new run, and the run before is forgotten") {
  const auto found =
      sweeps(read_all({made_point("block", 32, 4), made_point("block", 64, 2), made_point("block", 32, 8)}));
  REQUIRE(found[0].curves[0].points.size() == 1);
  CHECK(found[0].curves[0].points[0].time_ms->median == 8);
}

TEST_CASE("what is swept keeps nothing apart, all else does") {
  Json one_bin = made_point("contention", 1, 4), two_bins = made_point("contention", 2, 4),
       short_one = made_point("length", 1024, 1), long_one = made_point("length", 4096, 1);
  one_bin["input"] = "uniform over 1 bins";
  two_bins["input"] = "uniform over 2 bins";
  short_one["length"] = 1024;
  long_one["length"] = 4096;
  Json other_length = made_point("block", 32, 4);
  other_length["length"] = 1 << 20;
  const auto found =
      sweeps(read_all({one_bin, two_bins, short_one, long_one, made_point("block", 32, 4), other_length}));
  REQUIRE(found.size() == 4);
  CHECK(found[0].curves[0].points.size() == 2);
  CHECK(found[1].curves[0].points.size() == 2);
}

TEST_CASE(
    "points that did not pass, have no time, or no shared atomics where their turns are shown, are left "
    "out") {
  Json failed = made_point("block", 64, 2), untimed = made_point("block", 128, 2),
       no_turns = made_point("contention", 1, 1);
  failed["verdict"] = "race";
  untimed["time_ms"] = nullptr;
  no_turns["backend"] = "sim";
  no_turns["counters"] = {{"global_atomics", 5}};
  const auto found = sweeps(read_all({failed, untimed, no_turns, made_point("block", 32, 4)}));
  REQUIRE(found.size() == 1);
  CHECK(found[0].curves[0].points.size() == 1);
}

TEST_CASE(
    "on the simulator a sweep shows global atomics a byte, and one of contention the turns of shared "
    "atomics") {
  Json block = made_point("block", 32, 1), contention = made_point("contention", 1, 1);
  for (Json* json : {&block, &contention}) {
    (*json)["backend"] = "sim";
    (*json)["length"] = 1000;
    (*json)["counters"] = {
        {"global_atomics", 250}, {"shared_atomic_requests", 10}, {"shared_atomic_wavefronts", 320}};
  }
  const auto found = sweeps(read_all({block, contention}));
  REQUIRE(found.size() == 2);
  CHECK_FALSE(found[0].timed);
  CHECK(kind_of(found[0].first()).counted(found[0].first()) == 0.25);
  CHECK(kind_of(found[1].first()).counted(found[1].first()) == 32);
}
