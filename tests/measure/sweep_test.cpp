// SPDX-License-Identifier: MIT
#include "measure/sweep.hpp"

#include <doctest/doctest.h>

#include "measure/counted.hpp"
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
    "on the simulator a sweep shows global atomics per byte, and one of contention the turns of shared "
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
  CHECK(measure::counted(found[0].first()) == 0.25);
  CHECK(measure::counted_unit(found[0].first()) == "global atomics per byte");
  CHECK(measure::counted(found[1].first()) == 32);
}

namespace {

Json made_counted_point(std::uint64_t block, const Json& counters) {
  Json point = made_point("block", block, 1);
  point["backend"] = "sim";
  point["length"] = 1000;
  point["counters"] = counters;
  return point;
}

// The same of a reduction, over numbers of four bytes.
Json of_reduction(Json point) {
  point.erase("binning");
  point["operator"] = "sum";
  point["lab"] = "x1_reduction";
  point["exercise"] = "naive";
  return point;
}

}  // namespace

TEST_CASE(
    "a sweep on the simulator that counted nothing but 0 is left out, and one that counted once is not") {
  const Json zero = {{"global_atomics", 0}};
  CHECK(sweeps(read_all({made_counted_point(32, zero), made_counted_point(64, zero)})).empty());
  CHECK(sweeps(read_all({made_counted_point(32, zero), made_counted_point(64, {{"global_atomics", 1}})}))
            .size() == 1);
}

TEST_CASE("what a sweep shows of a reduction is what its problem says, and its lengths are elements") {
  const auto found =
      sweeps(read_all({of_reduction(made_counted_point(32, {{"warp_steps", 1000}, {"global_atomics", 0}}))}));
  REQUIRE(found.size() == 1);
  CHECK(measure::counted(found[0].first()) == 0.25);
  CHECK(measure::counted_unit(found[0].first()) == "warp steps per byte");
  const measure::SweepKind length = *measure::find_sweep("length");
  CHECK(measure::unit_of(length, found[0].first().exercise) == "elements");
  const auto histograms = read_all({made_point("length", 1024, 1)});
  CHECK(measure::unit_of(length, histograms.front().exercise) == "bytes");
}

TEST_CASE("of a problem's columns those are shown that are not 0 everywhere") {
  const auto titles = [](const std::vector<Json>& points) {
    std::string all;
    for (const problems::CountedColumn& column : measure::shown_columns(read_all(points)))
      all += std::string(column.title) + ", ";
    return all;
  };
  const Json loads = {{"global_load_requests", 7}, {"global_atomics", 0}},
             both = {{"global_load_requests", 7}, {"global_atomics", 3}};
  CHECK(titles({made_counted_point(32, loads)}) == "load requests, ");
  CHECK(titles({made_counted_point(32, loads), made_counted_point(64, both)}) ==
        "load requests, global atomics, ");
  // Atomics are no column of a reduction, whatever a kernel does.
  CHECK(titles({of_reduction(made_counted_point(32, both))}) == "load requests, ");
  CHECK(titles({made_counted_point(32, {{"thread_steps", 64}, {"warp_steps", 4}})}) == "lane efficiency, ");
  CHECK(titles({}) == "");
}

TEST_CASE("a column's cell is a count, a derived counter with two digits, or nothing") {
  const auto records =
      read_all({made_counted_point(32, {{"thread_steps", 65}, {"warp_steps", 4}, {"barriers", 1048576}})});
  const auto cell = [&](std::string_view counter) {
    return measure::counted_text({counter, "", ""}, records.front());
  };
  CHECK(cell("barriers") == "1,048,576");
  CHECK(cell("lane_efficiency") == "16.25");
  CHECK(cell("global_atomics") == "");
}
