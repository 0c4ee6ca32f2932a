// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/page/section.hpp"
#include "support/made_records.hpp"

using namespace report::page;
using measure::ladders;

namespace {

std::vector<Roofline> rooflines_of(const std::vector<Json>& json) {
  const std::vector<Record> records = read_all(json);
  return rooflines(ladders(records), records);
}

}  // namespace

TEST_CASE(
    "points are measured throughputs over counted atomics; the roofs the limit and the highest rates on each "
    "memory") {
  std::vector<Json> records = made_ladder();
  records.push_back(made_count("02_global_atomics", "histogram", {{"global_atomics", 1 << 20}}));
  records.push_back(made_count("04_shared_memory", "histogram",
                               {{"global_atomics", 1 << 10}, {"shared_atomics", 1 << 19}}));
  const auto found = rooflines_of(records);
  REQUIRE(found.size() == 1);
  CHECK(found[0].uncounted.empty());
  CHECK(found[0].read_limit_gb_s == doctest::Approx(4294.967296));
  REQUIRE(found[0].points.size() == 2);
  CHECK(found[0].points[0].atomics_a_byte == 1);
  CHECK_FALSE(found[0].points[0].shared);
  CHECK(found[0].points[0].gb_s == doctest::Approx(5.36870912));
  CHECK(found[0].global_rate == doctest::Approx(5.36870912));
  CHECK(found[0].points[1].shared);
  CHECK(found[0].points[1].atomics_a_byte == doctest::Approx(0.5 + 1.0 / 1024));
  CHECK(found[0].shared_rate == doctest::Approx(268.435456 * (0.5 + 1.0 / 1024)));
}

TEST_CASE(
    "a count stands for a launch only with the same input, threads per block and bytes per thread; else a "
    "command is given that makes it") {
  std::vector<Json> records = made_ladder();
  Json other_block = made_count("02_global_atomics", "histogram", {{"global_atomics", 1}}),
       other_bytes = other_block, other_input = other_block;
  other_block["launch"] = {{"grid", 8192}, {"block", 128}};
  other_bytes["launch"]["grid"] = 1024;
  other_input["input"] = "same";
  records.insert(records.end(), {other_block, other_bytes, other_input});
  auto found = rooflines_of(records);
  REQUIRE(found.size() == 1);
  CHECK(found[0].points.empty());
  REQUIRE(found[0].uncounted.size() == 2);
  CHECK(counting_command(found[0].uncounted[0]) ==
        "lab run 02 --on sim --solution --input letters --binning letters4 --block 256 --grid 4096 --length "
        "1048576");
}

TEST_CASE("a problem without atomics has no roofline") {
  std::vector<Json> records = made_ladder();
  CHECK(rooflines_of(records).size() == 1);
  records.erase(records.begin());  // lab 01
  for (Json& record : records) {
    record.erase("binning");
    record["operator"] = "sum";
    if (record["lab"] == "02_global_atomics" || record["lab"] == "04_shared_memory") {
      record["exercise"] = record["lab"] == "02_global_atomics" ? "naive" : "grid";
      record["lab"] = "x1_reduction";
    }
  }
  CHECK(rooflines_of(records).empty());
}

TEST_CASE("the command keeps the bytes per thread of a launch that has many") {
  Json json = made_record("05_coarsening", "interleaved", 1);
  json["launch"] = {{"grid", 1056}, {"block", 256}};
  json["tree"] = "student";
  CHECK(counting_command(read_all({json}).front()) ==
        "lab run 05/interleaved --on sim --input letters --binning letters4 --block 256 --grid 1 --length "
        "1016801");
}

TEST_CASE("without the limit of reading, or without times, there is no roofline") {
  std::vector<Json> records = made_ladder();
  records.pop_back();
  CHECK(rooflines_of(records).empty());
  CHECK(rooflines_of({made_count("02_global_atomics", "histogram", {{"global_atomics", 1}})}).empty());
}
