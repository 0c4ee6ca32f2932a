// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "measure/ncu/profile.hpp"
#include "support/made_records.hpp"
#include "temporary_folder.hpp"

namespace {

const workbook::ExerciseInfo lab_04{"04_shared_memory", "histogram", "histogram.cu", true, "histogram"};
const measure::Record wanted{.seed = 1, .variant = "letters4", .input = "text", .length = 100};

Json record(const std::string& time, const std::string& input, std::uint64_t length) {
  Json json = made_record("04_shared_memory", "histogram", 1);
  json.update({{"time", time},
               {"kind", "profile"},
               {"input", input},
               {"length", length},
               {"launch", {{"grid", 7}, {"block", 256}}},
               {"counters", {{"warps", 56}}},
               {"figures", {{"occupancy", 77.5}}}});
  return json;
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
  CHECK(found->record.machine.gpu.at("name") == "NVIDIA H200");
  CHECK(found->record.time == "2026-11-20T17:43:47Z");
  CHECK(found->record.launch.grid == 7);
  CHECK(found->record.launch.block == 256);
  CHECK(found->record.counters == facts::Counters{{"warps", 56}});
  CHECK(found->record.figures == measure::Figures{{"occupancy", 77.5}});
  CHECK(is_of_same_input(found->record, wanted));
  measure::Record other_seed = wanted;
  other_seed.seed = 2;
  CHECK_FALSE(is_of_same_input(found->record, other_seed));
}

TEST_CASE("the input matters most, then the length, then the time") {
  const Json newest = record("2026-03", "same", 100), same_input = record("2026-02", "text", 5),
             exact = record("2026-01", "text", 100);
  CHECK(found_in({newest, same_input, exact})->record.time == "2026-01");
  CHECK(found_in({newest, same_input})->record.time == "2026-02");
  CHECK(found_in({newest})->record.time == "2026-03");
  CHECK(found_in({exact, record("2026-04", "text", 100), exact})->record.time == "2026-04");
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
