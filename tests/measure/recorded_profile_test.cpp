// SPDX-License-Identifier: MIT
#include "measure/recorded_profile.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "temporary_folder.hpp"

namespace {

using Json = nlohmann::ordered_json;

const workbook::ExerciseInfo lab_04{"04_shared_memory", "histogram", "histogram.cu", true};
const measure::ProfiledInput wanted{"letters4", "text", 100, 1};

Json record(const std::string& time, const std::string& input, std::uint64_t length) {
  return {{"schema", 1},
          {"gpu", {{"name", "NVIDIA H200"}}},
          {"time", time},
          {"kind", "profile"},
          {"tree", "solution"},
          {"seed", 1},
          {"lab", "04_shared_memory"},
          {"exercise", "histogram"},
          {"verdict", "pass"},
          {"binning", "letters4"},
          {"input", input},
          {"length", length},
          {"launch", {{"grid", 7}, {"block", 256}}},
          {"counters", {{"warps", 56}}},
          {"figures", {{"occupancy", 77.5}}}};
}

std::optional<measure::RecordedProfile> found_in(const std::vector<Json>& records) {
  const TemporaryFolder folder;
  std::string lines;
  for (const Json& one : records) lines += one.dump() + "\n";
  folder.write("h200.jsonl", lines);
  folder.write("h200.json", record("2027", "text", 100).dump() + "\n");
  return measure::find_recorded_profile(folder.path(), lab_04, wanted);
}

}  // namespace

TEST_CASE("a recorded profile has its machine, what it was of, counters and figures") {
  const auto found = found_in({record("2026-11-20T17:43:47Z", "text", 100)});
  REQUIRE(found);
  CHECK(found->gpu == "NVIDIA H200");
  CHECK(found->time == "2026-11-20T17:43:47Z");
  CHECK(found->grid == 7);
  CHECK(found->block == 256);
  CHECK(found->counters == facts::Counters{{"warps", 56}});
  CHECK(found->figures == measure::Figures{{"occupancy", 77.5}});
  CHECK(is_of(*found, wanted));
  CHECK_FALSE(is_of(*found, {"letters4", "text", 100, 2}));
}

TEST_CASE("the input matters most, then the length, then the time") {
  const Json newest = record("2026-03", "same", 100), same_input = record("2026-02", "text", 5),
             exact = record("2026-01", "text", 100);
  CHECK(found_in({newest, same_input, exact})->time == "2026-01");
  CHECK(found_in({newest, same_input})->time == "2026-02");
  CHECK(found_in({newest})->time == "2026-03");
  CHECK(found_in({exact, record("2026-04", "text", 100), exact})->time == "2026-04");
}

TEST_CASE("what is no profile of the solution does not count") {
  const auto without = [](const std::string& key, const Json& value) {
    Json other = record("2026", "text", 100);
    other[key] = value;
    return other;
  };
  CHECK_FALSE(found_in({without("kind", "bench")}));
  CHECK_FALSE(found_in({without("tree", "student")}));
  CHECK_FALSE(found_in({without("verdict", "wrong_answer")}));
  CHECK_FALSE(found_in({without("lab", "03_privatization")}));
  CHECK_FALSE(found_in({without("gpu", nullptr)}));
  CHECK_FALSE(measure::find_recorded_profile("/no/such/folder", lab_04, wanted));
}
