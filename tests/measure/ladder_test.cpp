// SPDX-License-Identifier: MIT
#include "measure/ladder.hpp"

#include <doctest/doctest.h>

#include "support/made_records.hpp"

using measure::ladders;

namespace {

std::vector<Json> together(std::vector<Json> one, const std::vector<Json>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

}  // namespace

TEST_CASE("a ladder is one run's rungs, with the limit and the CPU that times are set against") {
  const auto found = ladders(read_all(made_ladder()));
  REQUIRE(found.size() == 1);
  CHECK(found[0].timed);
  REQUIRE(found[0].rungs.size() == 5);
  CHECK(found[0].limit()->time_ms->median == 0.25);
  CHECK(found[0].cpu_baseline()->time_ms->median == 1000);
  CHECK(found[0].lab().exercise.lab == "01_sequential");
}

TEST_CASE("of two runs the newest wins as a whole; its rungs are not mixed with those of the one before") {
  std::vector<Json> second = made_ladder();
  for (Json& json : second) json["time_ms"]["median"] = json["time_ms"]["median"].get<double>() * 2;
  second.erase(second.begin() + 1);
  const auto found = ladders(read_all(together(made_ladder(), second)));
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].rungs.size() == 4);
  CHECK(found[0].cpu_baseline()->time_ms->median == 2000);
  CHECK(found[0].limit()->time_ms->median == 0.5);
}

TEST_CASE("inputs, trees, and times and counts have ladders of their own") {
  std::vector<Json> of_same = made_ladder(), own = made_ladder();
  for (Json& json : of_same) json["input"] = "same";
  for (Json& json : own) {
    json["command"] = "lab bench --own";
    if (json["tree"] == "solution") json["tree"] = "student";
  }
  const std::vector<Json> counted{
      made_count("02_global_atomics", "histogram", {{"global_atomics", 1048576}})};
  const auto found = ladders(read_all(together(together(together(made_ladder(), of_same), own), counted)));
  REQUIRE(found.size() == 4);
  CHECK(found[0].lab().input == "letters");
  CHECK(found[1].lab().input == "same");
  CHECK(found[2].lab().tree == "student");
  CHECK_FALSE(found[3].timed);
  CHECK(found[3].limit() == nullptr);
}

TEST_CASE("a ladder of a warm cache takes no cold one's place") {
  std::vector<Json> warm = made_ladder();
  for (Json& json : warm) {
    json["command"] = "lab bench --warm";
    json["warm_cache"] = true;
  }
  const auto found = ladders(read_all(together(made_ladder(), warm)));
  REQUIRE(found.size() == 2);
  CHECK_FALSE(found[0].lab().warm_cache);
  CHECK(found[1].lab().warm_cache);
}

TEST_CASE("a tour stands in where nothing was benched") {
  std::vector<Json> tour = made_ladder();
  for (Json& json : tour) json["kind"] = "tour";
  CHECK(ladders(read_all(tour)).size() == 1);
  const auto both = ladders(read_all(together(made_ladder(), tour)));
  REQUIRE(both.size() == 1);
  CHECK(both[0].rungs.front().record.kind == "bench");
  const auto counted =
      ladders(read_all(together({made_count("02_global_atomics", "histogram", {{"warps", 1}})}, tour)));
  REQUIRE(counted.size() == 2);
  CHECK(counted[1].rungs.front().record.kind == "tour");
}

TEST_CASE("rungs that did not pass stay, but are no limit; a run in which nothing passed is no ladder") {
  std::vector<Json> records = made_ladder();
  records[4]["verdict"] = "wrong_answer";
  records[1]["verdict"] = "not_started";
  records[1]["time_ms"] = nullptr;
  records[0]["verdict"] = "crash";
  const auto found = ladders(read_all(records));
  REQUIRE(found.size() == 1);
  CHECK(found[0].rungs.size() == 5);
  CHECK(found[0].limit() == nullptr);
  CHECK(found[0].cpu_baseline() == nullptr);
  CHECK(ladders(read_all({made_record("01_sequential", "histogram", 1)})).empty());
  Json failed = made_count("02_global_atomics", "histogram", {{"warps", 1}});
  failed["verdict"] = "race";
  CHECK(ladders(read_all({failed})).empty());
}
